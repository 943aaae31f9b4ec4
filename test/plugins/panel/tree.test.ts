import assert from "node:assert/strict";
import type { Browser, Locator, Page } from "playwright-core";
import type { AdminSite } from "../../support/admin-site.js";
import {
  assertAccessible,
  bootPanel,
  openPanel,
  type PanelPage,
} from "../../support/panel-browser.js";
import { useChromium } from "../../support/services.js";

describe("the panel's tree of pages", () => {
  let browser: Browser;
  let site: AdminSite;
  let opened: PanelPage | null = null;
  before(async function () {
    browser = await useChromium(this);
  });
  beforeEach(async () => {
    site = await bootPanel({
      files: {
        "content/02.blog/03.third/post.md": "---\ntitle: Third\n---\nThird.\n",
        "content/03.about/default.md": "---\ntitle: About\n---\n[First](/blog/first)\n",
      },
    });
  });
  afterEach(async () => {
    await opened?.close();
    opened = null;
    await site.close();
  });

  const open = async (options = {}): Promise<Page> => {
    opened = await openPanel(browser, site, { path: "/pages?view=tree", ...options });
    await opened.page.getByRole("treeitem", { name: "Blog" }).waitFor();
    return opened.page;
  };
  const item = (page: Page, name: string): Locator => page.getByRole("treeitem", { name });
  const folders = (): string[] =>
    site.site
      .use("content")
      .generation()
      .entries.map(({ folder }) => folder);
  const source = async (path: string): Promise<string> =>
    (await site.site.use("content").source(path))?.raw ?? "";

  it("walks and opens levels by the keys of the tree pattern", async () => {
    const page = await open();
    assert.equal(await item(page, "First").count(), 0, "levels load when they are opened");
    await item(page, "Home").focus();
    await page.keyboard.press("ArrowDown");
    await page.keyboard.press("ArrowRight");
    await item(page, "First").waitFor();
    assert.equal(await item(page, "Blog").getAttribute("aria-expanded"), "true");
    await page.keyboard.press("ArrowRight");
    assert.equal(await page.evaluate("document.activeElement.ariaLabel"), "First");
    await page.keyboard.press("ArrowLeft");
    await page.keyboard.press("ArrowLeft");
    await item(page, "First").waitFor({ state: "detached" });
    await page.keyboard.press("End");
    assert.equal(await page.evaluate("document.activeElement.ariaLabel"), "About");
    await page.keyboard.press("Enter");
    await page.waitForURL(/\/edit\/03\.about\/default\.md$/);
  });

  it("reorders by keyboard, and takes it back", async () => {
    const page = await open();
    await page.getByRole("button", { name: "Show pages below Blog" }).click();
    await item(page, "Third").focus();
    await page.keyboard.press("Alt+ArrowUp");
    await page.getByText("Third has another place now.").waitFor();
    assert.ok(folders().includes("02.blog/02.third"));
    await page.getByRole("button", { name: "Undo" }).click();
    await page.locator("[aria-label=Third][aria-posinset='3']").waitFor();
    assert.ok(folders().includes("02.blog/03.third"));
  });

  it("moves a page by a dialog, with its links kept, and moves it back", async () => {
    const page = await open();
    await page.getByRole("button", { name: "Show pages below Blog" }).click();
    await item(page, "First").hover();
    await page.getByRole("button", { name: "Move First", exact: true }).click();
    const dialog = page.getByRole("dialog", { name: "Move First" });
    await dialog.getByLabel("New parent page").selectOption("/about");
    await dialog.getByRole("button", { name: "Move", exact: true }).click();
    await page.getByText("First was moved. Links in 2 pages were updated.").waitFor();
    assert.match(await source("03.about/default.md"), /\]\(\/about\/first\)/);
    await page.getByRole("button", { name: "Undo" }).click();
    await page.getByText("First is back in its former place.").waitFor();
    assert.match(await source("03.about/default.md"), /\]\(\/blog\/first\)/);
    assert.ok(folders().includes("02.blog/01.first"));
  });

  /** Drags a page to where another one is; it comes before or after it. */
  const drag = async (page: Page, name: string, other: string): Promise<void> => {
    const to = await item(page, other).boundingBox();
    assert.ok(to !== null);
    const grip = await page.getByTitle(`Drag ${name} to another place`).boundingBox();
    assert.ok(grip !== null);
    await page.mouse.move(grip.x + 5, grip.y + 10);
    await page.mouse.down();
    await page.mouse.move(grip.x + 8, grip.y + 14, { steps: 3 });
    await page.mouse.move(to.x + 60, to.y + 20, { steps: 12 });
    const ghost = "li.tree-ghost";
    const near = `[data-path]:has(> [aria-label=${other}])`;
    const placed = page.locator(`${ghost} + ${near}, ${near} + ${ghost}`);
    // The library ignores moves while items slide.
    for (let at = 0; at < 60 && (await placed.count()) === 0; at += 1) {
      // Lists without items open while something is dragged: the others move down.
      const { x, y } = (await item(page, other).boundingBox()) ?? to;
      await page.mouse.move(x + 60 + (at % 3), y + 20);
      await page.waitForTimeout(60);
    }
    await page.mouse.up();
  };

  /** Drags a page onto the free line below another one. */
  const dragInto = async (page: Page, name: string, other: string): Promise<void> => {
    const grip = await page.getByTitle(`Drag ${name} to another place`).boundingBox();
    assert.ok(grip !== null);
    await page.mouse.move(grip.x + 5, grip.y + 10);
    await page.mouse.down();
    await page.mouse.move(grip.x + 8, grip.y + 14, { steps: 3 });
    const below = page.locator(`[data-path]:has(> [aria-label=${other}]) > .tree-empty`);
    const placed = below.locator("li.tree-ghost");
    for (let at = 0; at < 60 && (await placed.count()) === 0; at += 1) {
      const to = await below.boundingBox();
      if (to !== null)
        await page.mouse.move(to.x + 60 + (at % 3), to.y + to.height / 2, { steps: 4 });
      await page.waitForTimeout(60);
    }
    await page.mouse.up();
  };

  it("reorders by dragging", async () => {
    const page = await open();
    await page.getByRole("button", { name: "Show pages below Blog" }).click();
    await item(page, "First").waitFor();
    await drag(page, "Third", "First");
    await page.getByText("Third has another place now.").waitFor();
    assert.ok(folders().includes("02.blog/01.third"));
  });

  it("moves a page below one that has no pages by dragging", async () => {
    const page = await open();
    await page.getByRole("button", { name: "Show pages below Blog" }).click();
    await item(page, "First").waitFor();
    await dragInto(page, "First", "About");
    await page.getByText(/First was moved/).waitFor();
    assert.ok(folders().includes("03.about/01.first"), folders().join());
  });

  it("moves a page to another level by keyboard", async () => {
    const page = await open();
    await page.getByRole("button", { name: "Show pages below Blog" }).click();
    await item(page, "First").focus();
    await page.keyboard.press("Alt+ArrowLeft");
    await page.getByText(/First was moved/).waitFor();
    assert.ok(
      folders().some((folder) => /^\d+\.first$/.test(folder)),
      folders().join(),
    );
    await item(page, "First").focus();
    await page.keyboard.press("Alt+ArrowRight");
    await item(page, "First").and(page.locator("[aria-level='2']")).waitFor();
    assert.ok(folders().includes("02.blog/04.first"), folders().join());
  });

  for (const colorScheme of ["light", "dark"] as const) {
    for (const width of [390, 1280]) {
      it(`has no accessibility violations (${colorScheme}, ${width} pixels)`, async () => {
        const page = await open({ colorScheme, viewport: { width, height: 900 }, bypassCSP: true });
        await page.getByRole("button", { name: "Show pages below Blog" }).click();
        await item(page, "First").waitFor();
        await assertAccessible(page, `tree-${colorScheme}-${width}`);
      });
    }
  }
});
