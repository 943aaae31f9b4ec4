import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import type { Browser, Page } from "playwright-core";
import type { AdminClient, AdminSite } from "../../support/sites/admin-site.js";
import {
  assertAccessible,
  bootPanel,
  openPanel,
  type PanelPage,
  type PanelPageOptions,
} from "../../support/browsers/panel-browser.js";
import { VIEWS } from "../../support/browsers/views.js";
import { useChromium } from "../../support/services.js";

const BROKEN = "---\r\ntitle:   'Odd'\r\nsummary: a: b\r\n---\r\nText.\r\n";
const SERVED = "02.blog/01.first/post.md";
const PATH = "02.blog/03.third/post.md";

describe("a page that cannot be read, in the panel", function () {
  this.timeout(240_000);
  let browser: Browser;
  let site: AdminSite;
  let panel: PanelPage | null = null;
  before(async function () {
    browser = await useChromium(this);
    site = await bootPanel({
      files: {
        "content/05.latin/default.md": Buffer.from("---\ntitle: caf\u00e9\n---\n", "latin1"),
      },
    });
  });
  beforeEach(async () => {
    await site.write(`content/${PATH}`, BROKEN);
    await site.site.use("content").refresh([PATH]);
  });
  afterEach(async () => {
    await panel?.close();
    panel = null;
  });
  after(() => site.close());
  let accounts = 0;
  const open = async (path: string, options: PanelPageOptions = {}): Promise<Page> => {
    accounts += 1;
    panel = await openPanel(browser, site, { path, username: `person-${accounts}`, ...options });
    return panel.page;
  };
  const onDisk = () => readFile(join(site.root, "content", PATH), "utf8");
  const marked = (page: Page) => page.locator(".cm-problem").allTextContents();

  it("is found in list, tree and palette, and opens in the editor", async () => {
    await site.write(`content/${SERVED}`, BROKEN);
    await site.site.use("content").refresh([SERVED]);
    const page = await open("/pages");
    const row = page.getByRole("row", { name: /third/ });
    await row.getByText("Unreadable").waitFor();
    await assertAccessible(page, "broken-list");
    await page.goto("/admin/pages?view=tree");
    await page.getByRole("button", { name: "Show pages below Blog" }).click();
    await page.getByRole("treeitem", { name: "third Unreadable" }).waitFor();
    // The last good version of the first page is served.
    const served = page.getByRole("treeitem", { name: "First Unreadable" });
    await served.getByText("Unreadable").waitFor();
    await assertAccessible(page, "broken-tree");
    await page.keyboard.press("Control+k");
    await page.locator(".palette").getByRole("combobox").fill("third");
    await page.getByRole("option", { name: /third/ }).click();
    await page.getByRole("heading", { name: "This page cannot be read" }).waitFor();
  });

  for (const { colorScheme, width } of VIEWS) {
    it(`shows its text with the line marked: ${colorScheme}, ${width} pixels`, async () => {
      const page = await open(`/edit/${PATH}`, { colorScheme, viewport: { width, height: 844 } });
      await page.getByText(/^Line 3: /).waitFor();
      assert.deepEqual(await marked(page), ["summary: a: b"]);
      const text = page.getByRole("textbox", { name: `Text of the file ${PATH}` });
      const id = (await text.getAttribute("aria-describedby")) ?? "";
      assert.match((await page.locator(`#${id}`).textContent()) ?? "", /^Line 3: /);
      await assertAccessible(page, `broken-page-${colorScheme}-${width}`);
      assert.deepEqual(
        panel?.messages.filter((one) => !one.includes("404")),
        [],
      );
    });
  }

  it("is fixed, and opens as any page; other bytes stay", async () => {
    const page = await open(`/edit/${PATH}`);
    await page.getByRole("button", { name: "Go to line 3" }).click();
    await page.keyboard.press("End");
    await page.keyboard.type(": c");
    await page.getByRole("button", { name: "Save" }).click();
    await page
      .getByRole("alert")
      .getByText(/^Line 3: front matter: /)
      .waitFor();
    assert.equal(await onDisk(), BROKEN);
    await page.keyboard.press("Control+z");
    await page.locator(".cm-line", { hasText: "summary" }).click();
    await page.keyboard.press("Home");
    for (let at = 0; at < "summary: ".length; at += 1) await page.keyboard.press("ArrowRight");
    await page.keyboard.type("'");
    await page.keyboard.press("End");
    await page.keyboard.type("'");
    await page.getByText(/The YAML syntax is valid now/).waitFor();
    assert.deepEqual(await marked(page), []);
    await page.getByRole("button", { name: "Save" }).click();
    await page.getByRole("textbox", { name: "Title" }).waitFor();
    const text = await onDisk();
    assert.match(text, /^---\r\ntitle: {3}'Odd'\r\nsummary: 'a: b.*'\r\n---\r\nText\.\r\n$/);
  });

  it("goes to a review by an author, and is fixed by its reviewer", async () => {
    const page = await open(`/edit/${PATH}`, { role: "author" });
    await page.locator(".cm-line", { hasText: "summary" }).click();
    await page.keyboard.press("End");
    await page.keyboard.press("Shift+Home");
    await page.keyboard.type("summary: better");
    await page.getByRole("button", { name: "Ask for review" }).click();
    await page.getByText(/a review is requested/).waitFor();
    assert.equal(await onDisk(), BROKEN);
    await panel?.close();
    const review = await open(`/edit/${PATH}`, { role: "editor" });
    await review.getByText("This is the text of a working copy.").waitFor();
    await review.getByRole("button", { name: "Save" }).click();
    await review.getByRole("textbox", { name: "Title" }).waitFor();
    assert.equal(await onDisk(), BROKEN.replace("a: b", "better"));
  });

  const propose = async (who: AdminClient, content: string): Promise<void> => {
    const { hash, raw } = await who.json(200, "GET", `/admin/api/pages/${PATH}`);
    const body = { content, base: raw, baseEtag: hash, review: true };
    await who.json(201, "PUT", `/admin/api/drafts/${PATH}`, body);
  };
  const readable = BROKEN.replace("a: b", "better");

  it("keeps what changed in the file after a working copy was begun", async () => {
    const author = await site.as("author");
    await propose(author, readable);
    const changed = `${BROKEN}\r\nA line of another person.\r\n`;
    await site.write(`content/${PATH}`, changed);
    await site.site.use("content").refresh([PATH]);
    const page = await open(`/edit/${PATH}`, { role: "editor" });
    await page.getByText("This is the text of a working copy.").waitFor();
    await page.getByRole("button", { name: "Save" }).click();
    await page.getByRole("textbox", { name: "Title" }).waitFor();
    assert.equal(await onDisk(), changed.replace("a: b", "better"));
    assert.equal((await author.send("GET", `/admin/api/drafts/${PATH}`)).status, 404);
  });

  it("does not overwrite the working copy of another person", async () => {
    const page = await open(`/edit/${PATH}`, { role: "author" });
    await page.locator(".cm-line", { hasText: "summary" }).waitFor();
    const other = await site.as("editor");
    await propose(other, readable);
    await page.locator(".cm-line", { hasText: "summary" }).click();
    await page.keyboard.press("End");
    await page.keyboard.press("Shift+Home");
    await page.keyboard.type("summary: mine");
    await page.getByRole("button", { name: "Ask for review" }).click();
    await page.getByRole("alert").waitFor();
    const draft = await other.json(200, "GET", `/admin/api/drafts/${PATH}`);
    assert.equal(draft.content, readable);
    await other.json(200, "DELETE", `/admin/api/drafts/${PATH}`);
  });

  it("keeps its problem where the parser of the panel finds none", async () => {
    const path = "04.roles/default.md";
    await site.write(`content/${path}`, "---\ntitle: R\nroles: { some: x }\n---\nText.\n");
    await site.site.use("content").refresh([path]);
    const page = await open(`/edit/${path}`);
    await page.getByText(/^Line 3: /).waitFor();
    await page.locator(".cm-line", { hasText: "Text." }).click();
    await page.keyboard.press("End");
    await page.keyboard.type(" More");
    assert.deepEqual(await marked(page), ["roles: { some: x }"]);
    assert.equal(await page.getByText(/^Line 3: /).count(), 1);
  });

  it("says so when its file is not text", async () => {
    const page = await open("/edit/05.latin/default.md");
    await page.getByText(/The file is not text that can be edited here/).waitFor();
    assert.equal(await page.getByRole("button", { name: "Save" }).count(), 0);
  });
});
