import assert from "node:assert/strict";
import type { Page } from "playwright-core";
import { assertAccessible, bootPanel } from "../../support/browsers/panel-browser.js";
import { usePanel } from "../../support/browsers/panel-desk.js";
import { useChromium } from "../../support/services.js";
import { until } from "../../support/until.js";

const WRITER = "pages.read, pages.create, pages.update, pages.delete, pages.publish";
const ADMIN_YAML = `roles:
  writer: { permissions: [${WRITER}, media.upload], pages: own }
  painter: { permissions: [${WRITER}] }
`;

describe("the panel of an account that changes only its own pages", () => {
  const desk = usePanel(useChromium, () => bootPanel({ files: { "admin.yaml": ADMIN_YAML } }));
  const open = (path: string): Promise<Page> =>
    desk.open({ role: "writer", username: "ada", path });
  const titles = (page: Page): Promise<string[]> => page.locator("a.page-link").allInnerTexts();

  /** Creates a page in the panel, which opens its editor. */
  async function create(page: Page, title: string): Promise<void> {
    await page.getByRole("button", { name: "New page" }).click();
    const dialog = page.getByRole("dialog");
    await dialog.getByLabel("Title", { exact: true }).fill(title);
    await dialog.getByRole("button", { name: "Create" }).click();
    await page.locator(".workspace").waitFor();
  }

  it("lists its own pages first, and all on demand", async () => {
    const page = await open("/pages");
    await page.getByText("No page matches").waitFor();
    await create(page, "Of Ada");
    await page.goto("/admin/pages");
    await page.getByText("One page", { exact: true }).waitFor();
    assert.deepEqual(await titles(page), ["Of Ada"]);
    await page.getByLabel("Whose pages").selectOption("All pages");
    await page.getByRole("link", { name: "First", exact: true }).waitFor();
    assert.ok((await titles(page)).length > 1);
    await assertAccessible(page, "own-pages-list");
  });

  it("writes and publishes its page, and says that another one is only read", async () => {
    const page = await open("/pages");
    await create(page, "Of Ada");
    await page.locator(".cm-content").click();
    await page.keyboard.type("Words of Ada.");
    await page.getByRole("button", { name: /^Publish/ }).click();
    const { site } = desk.site;
    const isPublished = async (): Promise<boolean> => {
      const entry = site
        .use("content")
        .generation()
        .entries.find(({ title }) => title === "Of Ada");
      const source = entry && (await site.use("content").source(entry.sourcePath));
      return source?.raw.includes("Words of Ada.") === true;
    };
    await until(isPublished);
    await page.goto("/admin/edit/02.blog/01.first/post.md");
    await page.getByText("You can read this page, but not change it").waitFor();
    assert.equal(await page.getByRole("button", { name: /^Publish/ }).count(), 0);
    assert.equal(await page.locator(".cm-content[contenteditable=true]").count(), 0);
    await assertAccessible(page, "own-pages-foreign");
  });

  it("changes its pages of a selection, and names those of others with the reason", async () => {
    const page = await open("/pages");
    await create(page, "Of Ada");
    await page.goto("/admin/pages?own=all");
    await page.getByLabel("Select First", { exact: true }).check();
    assert.equal(await page.getByRole("button", { name: "Move to trash" }).count(), 0);
    await page.getByLabel("Select Of Ada", { exact: true }).check();
    await page.getByRole("button", { name: "Back to draft", exact: true }).click();
    const failures = page.getByRole("dialog", { name: "One page was not changed" });
    await failures.getByText(/not your page/).waitFor();
    await failures.getByRole("link", { name: "First" }).waitFor();
  });

  it("has no handle in the tree for a page that it may not move with what is below it", async () => {
    const page = await open("/");
    const ada = await desk.site.site.use("users").findByUsername("ada");
    const id = ada?.id ?? assert.fail();
    const own = (title: string): string => `---\ntitle: ${title}\nowner: ${id}\n---\n`;
    await desk.site.write("content/03.mine/default.md", own("Mine"));
    await desk.site.write("content/03.mine/01.foreign/default.md", "---\ntitle: Foreign\n---\n");
    await desk.site.write("content/04.alone/default.md", own("Alone"));
    await desk.site.site.use("content").rebuild();
    await page.goto("/admin/pages?view=tree");
    await page.locator("[draggable=true][aria-label=Alone]").waitFor();
    for (const title of ["Home", "Blog", "Mine"]) {
      const row = page.getByRole("treeitem", { name: title, exact: true });
      assert.equal(await row.getAttribute("draggable"), null, title);
      assert.equal(await row.locator(".tree-grip").count(), 0, title);
      await row.focus();
      await page.keyboard.press("Alt+ArrowRight");
      await page.keyboard.press("Alt+ArrowUp");
      await row.getByLabel(`Actions for ${title}`).click();
      assert.equal(await row.getByRole("button", { name: "Move …" }).count(), 0, title);
    }
    assert.equal(await page.locator(".toast").count(), 0);
  });

  it("is given by a role, which the panel shows and edits", async () => {
    const page = await desk.open({ path: "/roles" });
    const writer = page.getByRole("region", { name: "writer" });
    await writer.getByText("Only pages of one’s own").waitFor();
    const painter = page.getByRole("region", { name: "painter" });
    await painter.getByRole("button", { name: "Change painter" }).click();
    const dialog = page.getByRole("dialog");
    await dialog.getByLabel("Only pages of one’s own").check();
    await dialog.getByRole("button", { name: "Save" }).click();
    await painter.getByText("Only pages of one’s own").waitFor();
  });
});
