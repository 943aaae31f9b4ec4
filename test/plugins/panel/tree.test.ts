import assert from "node:assert/strict";
import type { Locator, Page } from "playwright-core";
import {
  assertAccessible,
  bootPanel,
  takePicture,
  type PanelPageOptions,
} from "../../support/browsers/panel-browser.js";
import { usePanel } from "../../support/browsers/panel-desk.js";
import { useChromium } from "../../support/services.js";
import { until } from "../../support/until.js";
import { VIEWS } from "../../support/browsers/views.js";

type Side = "before" | "inside" | "after";
/** Where each place is in a row. */
const PARTS = { before: 0.1, inside: 0.5, after: 0.9 };

describe("the panel's tree of pages", () => {
  const desk = usePanel(useChromium, () =>
    bootPanel({
      files: {
        "content/02.blog/03.third/post.md": "---\ntitle: Third\n---\nThird.\n",
        "content/03.about/default.md": "---\ntitle: About\n---\n[First](/blog/first)\n",
      },
    }),
  );
  const open = async (options: PanelPageOptions = {}): Promise<Page> => {
    const page = await desk.open({ path: "/pages?view=tree", ...options });
    await page.getByRole("treeitem", { name: "Blog" }).waitFor();
    return page;
  };
  const item = (page: Page, name: string): Locator => page.getByRole("treeitem", { name });
  const folders = (): string[] =>
    desk.site.site
      .use("content")
      .generation()
      .entries.map(({ folder }) => folder);
  const source = async (path: string): Promise<string> =>
    (await desk.site.site.use("content").source(path))?.raw ?? "";

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

  it("moves no page beside one that cannot be read", async () => {
    const broken = "02.blog/04.odd/post.md";
    await desk.site.write(`content/${broken}`, "---\nsummary: a: b\n---\n");
    await desk.site.site.use("content").refresh([broken]);
    const page = await open();
    await page.getByRole("button", { name: "Show pages below Blog" }).click();
    await item(page, "odd Unreadable").waitFor();
    await item(page, "First").focus();
    await page.keyboard.press("Alt+ArrowUp");
    await page.keyboard.press("Alt+ArrowRight");
    await item(page, "Third").focus();
    await page.keyboard.press("Alt+ArrowUp");
    await page.getByText("Third has another place now.").waitFor();
    assert.equal(await page.locator(".toast.failed").count(), 0);
    assert.ok(folders().includes("02.blog/01.first"));
    await page.locator('[draggable=true][aria-label="First"]').waitFor();
    await page.getByTitle("Drag First to another place").hover();
    await page.mouse.down();
    const { x, y, height } = (await item(page, "odd Unreadable").boundingBox()) ?? assert.fail();
    await page.mouse.move(x + 120, y + height * PARTS.before, { steps: 4 });
    await page.mouse.move(x + 122, y + height * PARTS.after);
    assert.equal(await page.locator("[aria-label='odd Unreadable'][data-drop]").count(), 0);
    await page.mouse.up();
  });

  it("creates a page below a page of the tree", async () => {
    const page = await open();
    await item(page, "Blog").hover();
    await page.getByRole("button", { name: "Add a page below Blog" }).click();
    const dialog = page.getByRole("dialog", { name: "New page" });
    assert.equal(await dialog.locator("input[name=parent]").inputValue(), "/blog");
    await dialog.getByLabel("Title").fill("Fourth");
    await dialog.getByRole("button", { name: "Create and write" }).click();
    await page.waitForURL(/\/edit\/02\.blog\/[^/]*fourth\//);
  });

  it("moves a page by a dialog, with its links kept, and moves it back", async () => {
    const page = await open();
    await page.getByRole("button", { name: "Show pages below Blog" }).click();
    await item(page, "First").hover();
    await page.getByRole("button", { name: "Move First", exact: true }).click();
    const dialog = page.getByRole("dialog", { name: "Move First" });
    await dialog.getByRole("radio", { name: "About" }).check();
    await dialog.getByRole("button", { name: "Move", exact: true }).click();
    await page.getByText("First was moved. Links in 2 pages were updated.").waitFor();
    assert.match(await source("03.about/default.md"), /\]\(\/about\/first\)/);
    await page.getByRole("button", { name: "Undo" }).click();
    await page.getByText("First is back in its former place.").waitFor();
    assert.match(await source("03.about/default.md"), /\]\(\/blog\/first\)/);
    assert.ok(folders().includes("02.blog/01.first"));
  });

  it("moves a page that is a file in the folder of another one, without that folder", async () => {
    await desk.site.write("content/02.blog/aside.md", "---\ntitle: Aside\n---\n");
    await desk.site.write("content/02.blog/remark.md", "---\ntitle: Remark\n---\n");
    const content = desk.site.site.use("content");
    await content.rebuild();
    const page = await open();
    await page.getByRole("button", { name: "Show pages below Blog" }).click();
    await item(page, "Remark").waitFor();
    await item(page, "Aside").focus();
    assert.equal(await page.getByRole("button", { name: "Move Aside up" }).count(), 0);
    await page.keyboard.press("Alt+ArrowUp");
    await page.getByRole("button", { name: "Move Aside", exact: true }).click();
    const dialog = page.getByRole("dialog", { name: "Move Aside" });
    await dialog.getByRole("radio", { name: "About" }).check();
    await dialog.getByRole("button", { name: "Move", exact: true }).click();
    await page.getByText("Aside was moved.", { exact: false }).waitFor();
    const files = (): string[] =>
      content
        .generation()
        .entries.map(({ sourcePath }) => sourcePath)
        .toSorted();
    const others = ["02.blog/blog.md", "02.blog/remark.md", "03.about/default.md"];
    for (const path of ["03.about/aside.md", ...others]) assert.ok(files().includes(path), path);
    await page.getByRole("button", { name: "Undo" }).click();
    await page.getByText("Aside is back in its former place.").waitFor();
    for (const path of ["02.blog/aside.md", ...others]) assert.ok(files().includes(path), path);
  });

  /** Drags a page by its handle to a part of another one's row. */
  const drag = async (page: Page, name: string, other: string, side: Side): Promise<void> => {
    await page.locator(`[draggable=true][aria-label="${name}"]`).waitFor();
    await page.getByTitle(`Drag ${name} to another place`).hover();
    await page.mouse.down();
    const { x, y, height } = (await item(page, other).boundingBox()) ?? assert.fail();
    const at = y + height * PARTS[side];
    await page.mouse.move(x + 120, at, { steps: 4 });
    await page.mouse.move(x + 122, at);
    await page.locator(`[aria-label="${other}"][data-drop=${side}]`).waitFor();
    await page.mouse.up();
  };

  it("reorders by dragging", async () => {
    const page = await open();
    await page.getByRole("button", { name: "Show pages below Blog" }).click();
    await item(page, "First").waitFor();
    await drag(page, "Third", "First", "before");
    await page.getByText("Third has another place now.").waitFor();
    assert.ok(folders().includes("02.blog/01.third"));
    await page.locator("[aria-label=Third][aria-posinset='1']").waitFor();
    await drag(page, "Third", "Second Draft", "after");
    await page.locator("[aria-label=Third][aria-posinset='3']").waitFor();
    assert.ok(folders().includes("02.blog/03.third"), folders().join());
  });

  it("drags a page below one that has no pages, between two of another level, and out again", async () => {
    const page = await open();
    await page.getByRole("button", { name: "Show pages below Blog" }).click();
    await item(page, "First").waitFor();
    await drag(page, "First", "About", "inside");
    await page.getByText(/First was moved/).waitFor();
    await page.locator("[aria-label=First][aria-level='2']").waitFor();
    assert.ok(folders().includes("03.about/01.first"), folders().join());

    await drag(page, "First", "Third", "before");
    await page.locator("[aria-label=First][aria-posinset='2'][aria-setsize='3']").waitFor();
    const posts = folders().filter((folder) => folder.startsWith("02.blog/"));
    assert.deepEqual(posts, ["02.blog/01.second", "02.blog/02.first", "02.blog/03.third"]);

    await takePicture(page, "tree");
    await drag(page, "Third", "About", "before");
    await page.locator("[aria-label=Third][aria-level='1'][aria-posinset='3']").waitFor();
    await drag(page, "About", "Blog", "after");
    await page.locator("[aria-label=About][aria-level='2'][aria-posinset='1']").waitFor();
    assert.match(await source("02.blog/01.about/default.md"), /\]\(\/blog\/first\)/);
  });

  it("drags no page into itself, nor before the home page", async () => {
    const page = await open();
    await page.getByRole("button", { name: "Show pages below Blog" }).click();
    await page.locator("[draggable=true][aria-label=Blog]").waitFor();
    const before = folders().join();
    await page.getByTitle("Drag Blog to another place").hover();
    await page.mouse.down();
    for (const name of ["First", "Third", "Home"]) {
      const { x, y, height } = (await item(page, name).boundingBox()) ?? assert.fail();
      await page.mouse.move(x + 120, y + height / 4, { steps: 3 });
      const shown = page.locator("[data-drop]:not([data-drop=after])");
      assert.equal(await shown.count(), 0, name);
    }
    await page.keyboard.press("Escape");
    await page.mouse.up();
    assert.equal(folders().join(), before);
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

  for (const { colorScheme, width } of VIEWS) {
    it(`has no accessibility violations (${colorScheme}, ${width} pixels)`, async () => {
      const page = await open({ colorScheme, viewport: { width, height: 900 }, bypassCSP: true });
      await page.getByRole("button", { name: "Show pages below Blog" }).click();
      await item(page, "First").waitFor();
      await assertAccessible(page, `tree-${colorScheme}-${width}`);
    });
  }
});

describe("the panel's pages in two languages", () => {
  const guide = "content/04.guide";
  const desk = usePanel(useChromium, () =>
    bootPanel({
      files: {
        "system.yaml": "languages: { supported: [en, de], default: en }\n",
        [`${guide}/default.md`]: "---\ntitle: Travel guide\n---\nText.\n",
        [`${guide}/default.de.md`]: "---\ntitle: Reiseführer\n---\nText.\n",
        [`${guide}/01.harbour/default.md`]: "---\ntitle: Harbour\n---\nText.\n",
        "content/05.flat.md": "---\ntitle: Flat\nunpublish_date: 2031-05-01T08:00:00Z\n---\n",
        "content/05.flat.de.md": "---\ntitle: Flach\n---\n",
      },
    }),
  );

  it("are one row each in the tree, with all pages below it", async () => {
    const page = await desk.open({ path: "/pages?view=tree" });
    const row = page.getByRole("treeitem", { name: "Travel guide" });
    await row.waitFor();
    assert.equal(await page.getByRole("treeitem", { name: "Reiseführer" }).count(), 0);
    await assertAccessible(page, "tree-languages");
    await row.focus();
    await page.keyboard.press("ArrowRight");
    await page.getByRole("treeitem", { name: "Harbour" }).waitFor();
    await page.getByRole("link", { name: "de: edit Travel guide in German" }).click();
    await page.waitForURL(/\/edit\/04\.guide\/default\.de\.md$/);
  });

  it("are one row each in the list, found by the words of any, and listed by language", async () => {
    const page = await desk.open({ path: "/pages?q=Reisef" });
    await page.getByRole("link", { name: "Travel guide", exact: true }).waitFor();
    assert.equal(await page.getByText("One page", { exact: true }).count(), 1);
    await assertAccessible(page, "pages-languages");
    await page.getByRole("search").getByLabel("Language").selectOption("de");
    await page.getByRole("link", { name: "Reiseführer", exact: true }).waitFor();
  });

  it("move with all their files, and back", async () => {
    const page = await desk.open({ path: "/pages?view=tree" });
    await page.getByRole("treeitem", { name: "Flat" }).hover();
    await page.getByRole("button", { name: "Move Flat", exact: true }).click();
    const dialog = page.getByRole("dialog", { name: "Move Flat" });
    await dialog.getByRole("radio", { name: "Travel guide" }).check();
    await dialog.getByRole("button", { name: "Move", exact: true }).click();
    await page.getByText("Flat was moved.", { exact: false }).waitFor();
    const files = (): string[] =>
      desk.site.site
        .use("content")
        .generation()
        .entries.map(({ sourcePath }) => sourcePath)
        .filter((path) => path.includes("flat"))
        .toSorted();
    assert.deepEqual(files(), ["04.guide/02.flat.de.md", "04.guide/02.flat.md"]);
    await page.getByRole("button", { name: "Undo" }).click();
    await page.getByText("Flat is back in its former place.").waitFor();
    assert.deepEqual(files(), ["05.flat.de.md", "05.flat.md"]);
  });

  it("change in all their languages together", async () => {
    const page = await desk.open({ path: "/pages?q=guide" });
    await page.getByLabel("Select Travel guide").check();
    await page.getByText("One page selected").waitFor();
    await page.getByRole("button", { name: "Back to draft" }).click();
    const drafts = (): number =>
      desk.site.site
        .use("content")
        .generation()
        .entries.filter(({ status }) => status === "draft").length;
    await until(() => drafts() === 2);
  });
});
