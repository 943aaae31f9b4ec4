import assert from "node:assert/strict";
import { writeFileSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { Browser, Page } from "playwright-core";
import type { AdminSite } from "../../support/admin-site.js";
import {
  assertAccessible,
  bootPanel,
  openPanel,
  type PanelPage,
  type PanelPageOptions,
} from "../../support/panel-browser.js";
import { useChromium } from "../../support/services.js";
import { picture } from "../../support/pictures.js";

const FIRST = "02.blog/01.first/post.md";
const ORIGINAL = "---\n# a comment\ntitle: First\ntags: [a]\n---\nFirst body.\n";

describe("the panel's editor", () => {
  let browser: Browser;
  let site: AdminSite;
  const opened: PanelPage[] = [];
  before(async function () {
    browser = await useChromium(this);
  });
  beforeEach(async () => {
    site = await bootPanel();
  });
  afterEach(async () => {
    for (const one of opened.splice(0)) await one.close();
    await site.close();
  });

  async function open(options: PanelPageOptions = {}, path = FIRST): Promise<Page> {
    const one = await openPanel(browser, site, { path: `/edit/${path}`, ...options });
    opened.push(one);
    await one.page.locator(".cm-content").waitFor();
    return one.page;
  }
  const textOf = (page: Page) => page.getByRole("textbox", { name: "Text of the page" });
  const fileText = (path = FIRST): string => readFileSync(join(site.root, "content", path), "utf8");
  const typeAtEnd = async (page: Page, text: string): Promise<void> => {
    await textOf(page).click();
    await page.keyboard.press("Control+End");
    await page.keyboard.type(text);
  };
  const saved = (page: Page): Promise<void> =>
    page.getByText("Unpublished changes, saved").waitFor();
  const publish = async (page: Page): Promise<void> => {
    await page.getByRole("button", { name: /^Publish/ }).click();
    await page.getByText("Published.", { exact: true }).waitFor();
  };

  it("corrects a word on a live page; visitors see it when it is published", async () => {
    const page = await open();
    await textOf(page)
      .getByText("First body.")
      .dblclick({ position: { x: 5, y: 5 } });
    await page.keyboard.type("Best");
    await saved(page);
    assert.equal(fileText(), ORIGINAL);
    assert.match(await (await site.fetch("/blog/first")).text(), /First body/);
    await publish(page);
    assert.equal(fileText(), ORIGINAL.replace("First body", "Best body"));
    assert.match(await (await site.fetch("/blog/first")).text(), /Best body/);
  });

  it("writes and publishes an illustrated page from the list", async () => {
    const one = await openPanel(browser, site, { path: "/pages" });
    opened.push(one);
    const { page } = one;
    await page.getByRole("button", { name: "New page" }).click();
    const dialog = page.getByRole("dialog", { name: "New page" });
    await dialog.getByLabel("Title").fill("Harbour at dawn");
    await dialog.getByLabel("Below").selectOption("/blog");
    await dialog.getByRole("button", { name: "Create and write" }).click();
    await page.locator(".cm-content").waitFor();
    await typeAtEnd(page, "Boats leave early.\n\n");
    await page.getByRole("button", { name: "Picture" }).click();
    const buffer = await picture(64, 48);
    await page
      .getByLabel("Upload pictures")
      .setInputFiles({ name: "harbour-dawn.png", mimeType: "image/png", buffer });
    await page.locator("img.md-picture").waitFor();
    await publish(page);
    const html = await (await site.fetch("/blog/harbour-at-dawn")).text();
    assert.match(html, /Boats leave early/);
    assert.match(html, /<img/);
  });

  it("formats by toolbar, shortcut and slash menu", async () => {
    const page = await open();
    await typeAtEnd(page, "\nbold");
    await page.keyboard.press("Control+Shift+ArrowLeft");
    await page.keyboard.press("Control+b");
    await page.keyboard.press("Control+End");
    await page.keyboard.type("\n\n/quo");
    await page.getByRole("option", { name: "Quote" }).waitFor();
    await page.keyboard.press("Enter");
    await page.keyboard.type("said");
    await saved(page);
    await publish(page);
    assert.equal(fileText(), `${ORIGINAL}\n**bold**\n\n> said`);
  });

  it("links to a page found by its title", async () => {
    const page = await open();
    await typeAtEnd(page, "\nSee ");
    await page.keyboard.press("Control+Shift+k");
    const dialog = page.getByRole("dialog", { name: "Insert a link" });
    await dialog.getByLabel("Search a page, or type an address").fill("secon");
    await dialog.getByRole("button", { name: /Second/ }).click();
    await page.keyboard.type(" too");
    await saved(page);
    await publish(page);
    assert.equal(fileText(), `${ORIGINAL}\nSee [Second](/blog/second) too`);
  });

  it("keeps unpublished text over a reload, and discards it with undo", async () => {
    const page = await open();
    await typeAtEnd(page, "More.");
    await saved(page);
    await page.reload();
    await textOf(page).getByText("More.").waitFor();
    await page.getByLabel("More actions").click();
    await page.getByRole("button", { name: "Discard changes …" }).click();
    await page.getByRole("dialog").getByRole("button", { name: "Discard" }).click();
    await page.getByText("The changes were discarded.").waitFor();
    assert.doesNotMatch((await textOf(page).textContent()) ?? "", /More/);
    await page.getByRole("button", { name: "Undo", exact: true }).last().click();
    await textOf(page).getByText("More.").waitFor();
  });

  it("loses nothing when the connection breaks and the window closes", async () => {
    const page = await open();
    await page.context().setOffline(true);
    await typeAtEnd(page, "Typed offline.");
    await page.getByText(/The server does not answer/).waitFor();
    await page.context().setOffline(false);
    await page.route("**/admin/api/drafts/**", (route) =>
      route.request().method() === "PUT" ? route.abort() : route.continue(),
    );
    await typeAtEnd(page, " And again.");
    await page.waitForTimeout(600);
    await page.goto("/admin/pages");
    await page.unroute("**/admin/api/drafts/**");
    await page.goto(`/admin/edit/${FIRST}`);
    await page.getByText("Text that could not be saved on your last visit is back.").waitFor();
    await textOf(page).getByText("Typed offline. And again.").waitFor();
    await saved(page);
  });

  it("signs in again in mid-edit, with the text kept", async () => {
    const page = await open({ username: "eva" });
    await page.context().clearCookies();
    await typeAtEnd(page, "Late words.");
    const dialog = page.getByRole("dialog", { name: "Sign in again" });
    await dialog.getByLabel("Username or e-mail address").fill("eva");
    await dialog.getByLabel("Password").fill("correct horse battery");
    await dialog.getByRole("button", { name: "Sign in" }).click();
    await saved(page);
    await textOf(page).getByText("Late words.").waitFor();
  });

  it("merges separate edits of two people, and says so", async () => {
    const admin = await site.as("admin", { username: "seed" });
    const long = `${ORIGINAL}\nSecond part.\n\nThird part.\n`;
    await admin.json(200, "PUT", `/admin/api/pages/${FIRST}`, { content: long });
    const [one, two] = [await open({ username: "one" }), await open({ username: "two" })];
    await typeAtEnd(one, "End by one.");
    await saved(one);
    await textOf(two).click();
    await two.keyboard.press("Control+Home");
    await two.keyboard.type("Start by two. ");
    await saved(two);
    await two.getByText(/Changes of another person were merged/).waitFor();
    assert.match((await textOf(two).textContent()) ?? "", /^Start by two\. First.*End by one\.$/);
  });

  it("shows both texts of overlapping edits and takes the merged one", async () => {
    const [one, two] = [await open({ username: "one" }), await open({ username: "two" })];
    await typeAtEnd(one, "By one.");
    await saved(one);
    await typeAtEnd(two, "By two.");
    const dialog = two.getByRole("dialog", { name: "Two versions of this page" });
    await dialog.getByText("Both texts as a whole").click();
    await dialog.getByRole("region", { name: "The other version" }).getByText("By one.").waitFor();
    await assertAccessible(two, "conflict");
    await dialog.getByLabel("Merged text").fill("First body.\nBy one. By two.\n");
    await dialog.getByRole("button", { name: "Save" }).click();
    await saved(two);
    await publish(two);
    assert.equal(fileText(), `${ORIGINAL}By one. By two.\n`);
  });

  it("does not overwrite a file that changed on disk while it was open", async () => {
    const page = await open();
    await typeAtEnd(page, "From the panel.");
    await saved(page);
    writeFileSync(join(site.root, "content", FIRST), ORIGINAL.replace("[a]", "[a, disk]"));
    await page.getByRole("button", { name: /^Publish/ }).click();
    await page.getByText("Published.", { exact: true }).waitFor();
    assert.equal(fileText(), `${ORIGINAL.replace("[a]", "[a, disk]")}From the panel.`);
  });

  it("restores an earlier version", async () => {
    const page = await open();
    await typeAtEnd(page, "New line.");
    await saved(page);
    await publish(page);
    await page.getByRole("button", { name: "History" }).click();
    await page.locator(".revision").last().click();
    const dialog = page.getByRole("dialog", { name: /^Version of/ });
    await dialog.getByText("New line.").waitFor();
    await dialog.getByRole("button", { name: "Restore this version" }).click();
    await page.getByText(/was restored/).waitFor();
    assert.equal(fileText(), ORIGINAL);
    assert.doesNotMatch((await textOf(page).textContent()) ?? "", /New line/);
  });

  it("shows unsaved text in the theme beside the editor", async () => {
    const page = await open();
    await page.keyboard.press("Control+Shift+p");
    const frame = page.frameLocator("iframe[name=panel-preview]");
    await frame.getByText("First body.").waitFor();
    await typeAtEnd(page, "Seen at once.");
    await frame.getByText("Seen at once.").waitFor();
    await page.getByRole("button", { name: "Desktop" }).click();
    assert.equal(await page.locator("iframe").getAttribute("width"), "1280");
  });

  it("edits front matter by its fields, and keeps comments and order", async () => {
    const page = await open();
    await page.getByLabel("Description").fill("About boats");
    await page.getByLabel("Tags").fill("sea");
    await page.keyboard.press("Enter");
    await page.getByLabel("Title").fill("First of all");
    await saved(page);
    await publish(page);
    const lines = [
      "# a comment",
      "title: First of all",
      "tags: [a, sea]",
      "description: About boats",
    ];
    assert.equal(fileText(), `---\n${lines.join("\n")}\n---\nFirst body.\n`);
  });

  it("lets authors ask for a review of a live page", async () => {
    const page = await open({ role: "author" });
    await typeAtEnd(page, "By the author.");
    await page.getByRole("button", { name: "Ask for review" }).click();
    await page.getByText("Editors see your request on their dashboard.").waitFor();
    assert.equal(fileText(), ORIGINAL);
    const editor = await openPanel(browser, site, { role: "editor" });
    opened.push(editor);
    await editor.page.getByText("Review requested").waitFor();
  });

  it("schedules a page", async () => {
    const page = await open({}, "02.blog/02.second/post.md");
    await page.getByLabel("More actions").click();
    await page.getByRole("button", { name: "Schedule …" }).click();
    await page.getByLabel("Date and time").fill("2031-05-01T08:00");
    await page.getByRole("dialog").getByRole("button", { name: "Schedule" }).click();
    await page.getByText(/^Scheduled for/).waitFor();
    assert.match(fileText("02.blog/02.second/post.md"), /publish_date:.*2031-05-01/);
  });

  it("shares a preview with people who have no account", async () => {
    const page = await open();
    await typeAtEnd(page, "Secret until published.");
    await page.getByLabel("More actions").click();
    await page.getByRole("button", { name: "Share a preview …" }).click();
    await page.getByRole("button", { name: "Create address" }).click();
    const url = await page.getByLabel(/^Address, valid until/).inputValue();
    const answer = await fetch(new URL(new URL(url).pathname + new URL(url).search, site.url));
    assert.equal(answer.status, 200);
    assert.match(await answer.text(), /Secret until published/);
  });

  it("refuses a paste that is too large, and keeps it on the screen", async () => {
    const page = await open();
    await textOf(page).click();
    await page.evaluate(() => {
      const data = new DataTransfer();
      data.setData("text/plain", "many words ".repeat(900_000));
      const target = document.querySelector(".cm-content");
      target?.dispatchEvent(new ClipboardEvent("paste", { clipboardData: data, bubbles: true }));
    });
    await page.getByText(/^Not saved: /).waitFor({ timeout: 30_000 });
    assert.equal(fileText(), ORIGINAL);
  });

  for (const colorScheme of ["light", "dark"] as const) {
    for (const width of [390, 1280]) {
      it(`has no accessibility violations (${colorScheme}, ${width} pixels)`, async () => {
        const viewport = { width, height: 900 };
        const page = await open({ colorScheme, viewport, bypassCSP: true });
        await typeAtEnd(
          page,
          "\n## Heading\n\n- one\n- two\n\n> quote `code` **bold** [link](/blog)\n",
        );
        await saved(page);
        await assertAccessible(page, `editor-${colorScheme}-${width}`);
        for (const pane of ["Fields", "Preview", "History"]) {
          const button = page.getByRole("button", { name: pane });
          if ((await button.getAttribute("aria-pressed")) === "false") await button.click();
          await page.waitForTimeout(400);
          await assertAccessible(page, `editor-${pane}-${colorScheme}-${width}`);
        }
      });
    }
  }
});
