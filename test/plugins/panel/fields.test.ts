import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { Page } from "playwright-core";
import {
  assertAccessible,
  bootPanel,
  type PanelPageOptions,
} from "../../support/browsers/panel-browser.js";
import { usePanel } from "../../support/browsers/panel-desk.js";
import { picture } from "../../support/content/pictures.js";
import { useChromium } from "../../support/services.js";
import { VIEWS } from "../../support/browsers/views.js";

const FIRST = "02.blog/01.first/post.md";
const ORIGINAL = `---
# by hand
title: First
parts:
  # the first
  - type: quote
    text: 'Light' # bright
  - type: gallery
    images: []
related: [blog/second]
steps:
- name: one
data: { a: 1 }
---
First body.
`;
const BLUEPRINT = `fields:
  title: { type: text, required: true }
  kind: { type: radio, label: Kind, options: { plain: Plain, long: Long } }
  extra: { type: text, label: Extra, when: { kind: long } }
  parts: { type: blocks, label: Parts }
  author: { type: page, of: [author], label: Author }
  related: { type: pages, label: Related }
  chair: { type: record, of: product, label: Chair }
  owner: { type: user, label: Owner }
  cover: { type: media, label: Cover }
  tags: { type: tags, label: Tags }
  steps: { type: structure, label: Steps, fields: { name: { type: text, label: Name, required: true } } }
  at: { type: datetime, label: At, tab: More }
  share: { type: range, label: Share, validate: { min: 0, max: 10 }, tab: More }
  sizes: { type: checkboxes, label: Sizes, options: [s, m], tab: More }
  data: { type: json, label: Data, tab: More }
`;
const FILES = {
  "blueprints/post.yaml": BLUEPRINT,
  "blueprints/author.yaml": "template: default\n",
  "blueprints/blocks/quote.yaml":
    "label: Quote\nfields:\n  text: { type: textarea, label: Words, required: true }\n  inner: { type: blocks, label: Inner, blocks: [quote] }\n",
  "blueprints/blocks/gallery.yaml":
    "label: Gallery\nfields:\n  note: { type: text, label: Note }\n",
  "flex-objects/product.yaml":
    "title: Products\nfields:\n  name: { type: text, label: Name }\n  photo: { type: media, label: Photo }\n  parts: { type: blocks, label: Parts, blocks: [quote] }\n",
  "flex-objects/product/chair.yaml": "name: Red chair\n",
  "content/02.blog/02.second/post.md":
    "---\ntitle: Second\ntags: [harbour, sea]\n---\nSee [first](/blog/first).\n",
  "content/03.authors/ines/author.md": "---\ntitle: Ines\n---\n",
  [`content/${FIRST}`]: ORIGINAL,
};

describe("the panel's fields", () => {
  const desk = usePanel(useChromium, () => bootPanel({ files: FILES }));
  const open = async (options: PanelPageOptions = {}): Promise<Page> => {
    const page = await desk.open({ path: `/edit/${FIRST}`, ...options });
    if (options.path === undefined) await page.getByRole("list", { name: "Parts" }).waitFor();
    return page;
  };
  const fileText = (path = FIRST): string =>
    readFileSync(join(desk.site.root, "content", path), "utf8");
  const saved = (page: Page): Promise<void> =>
    page.getByText("Unpublished changes, saved").waitFor();
  const publish = async (page: Page): Promise<string> => {
    await saved(page);
    await page.getByRole("button", { name: /^Publish/ }).click();
    await page.getByText("Published.", { exact: true }).waitFor();
    return fileText();
  };
  const draft = async (page: Page): Promise<string> => {
    await saved(page);
    const admin = await desk.site.as("admin", { username: "reader" });
    return (await admin.json(200, "GET", `/admin/api/drafts/${FIRST}`)).content;
  };

  it("changes one word in a block, and the bytes are the original ones when it is undone", async () => {
    const page = await open();
    const words = page.getByRole("textbox", { name: "Words *" });
    await words.fill("Shade");
    assert.equal(await draft(page), ORIGINAL.replace("Light", "Shade"));
    await page
      .getByRole("group", { name: "Changes of the fields" })
      .getByRole("button", { name: "Undo" })
      .click();
    await page.getByText("No unpublished changes").or(page.getByText("saved")).first().waitFor();
    assert.equal(await words.inputValue(), "Light");
    assert.equal(await publish(page), ORIGINAL);
  });

  it("adds, fills, moves and removes blocks by keyboard", async () => {
    const page = await open();
    const parts = page.getByRole("list", { name: "Parts" });
    await page.getByRole("button", { name: "Add a block" }).last().press("Enter");
    await page.getByRole("dialog").getByRole("button", { name: "Quote" }).press("Enter");
    const third = parts.getByRole("listitem", { name: "Quote 3" });
    await third.getByRole("textbox", { name: "Words *" }).fill("Third");
    await third.getByRole("textbox", { name: "Words *" }).press("Alt+ArrowUp");
    await third.getByRole("textbox", { name: "Words *" }).waitFor({ state: "detached" });
    await page.getByText("Moved to place 2 of 3").waitFor();
    await parts.getByRole("button", { name: "Remove entry 3" }).press("Enter");
    const text = await publish(page);
    assert.match(text, /'Light' # bright\n {2}- type: quote\n {4}text: Third\nrelated/);
  });

  it("nests blocks in blocks", async () => {
    const page = await open();
    const first = page
      .getByRole("list", { name: "Parts" })
      .getByRole("listitem", { name: "Quote 1" });
    await first.getByRole("button", { name: "Add a block" }).click();
    const inner = first.getByRole("list", { name: "Inner" });
    await inner.getByRole("textbox", { name: "Words *" }).fill("Inside");
    assert.match(
      await publish(page),
      /text: 'Light' # bright\n {4}inner:\n {6}- type: quote\n {8}text: Inside\n/,
    );
  });

  it("reorders blocks by dragging, with their comments", async () => {
    const page = await open();
    const grips = page
      .getByRole("list", { name: "Parts" })
      .locator("> li > .item-head > .item-grip");
    await grips.nth(1).waitFor();
    await page.locator(".item-head[draggable=true]").nth(1).waitFor();
    const [one, two] = [await grips.nth(0).boundingBox(), await grips.nth(1).boundingBox()];
    assert.ok(one && two);
    await page.mouse.move(two.x + 5, two.y + 10);
    await page.mouse.down();
    await page.mouse.move(two.x + 6, two.y, { steps: 3 });
    await page.mouse.move(one.x + 5, one.y + 4, { steps: 4 });
    await page.mouse.move(one.x + 6, one.y + 4);
    await page.locator(".item[data-drop=before]").waitFor();
    await page.mouse.up();
    await page.getByText("Moved to place 1 of 2").waitFor();
    assert.match(
      await publish(page),
      /parts:\n {2}# the first\n {2}- type: gallery\n {4}images: \[\]\n {2}- type: quote\n {4}text: 'Light' # bright\n/,
    );
  });

  it("finds pages, records and accounts by title, by keyboard", async () => {
    const page = await open({ username: "olga" });
    const pick = async (name: string, words: string, option: RegExp): Promise<void> => {
      const input = page.getByRole("combobox", { name, exact: true });
      await input.focus();
      await input.fill(words);
      await page.getByRole("option", { name: option }).waitFor();
      await input.press("Enter");
    };
    await pick("Author", "ine", /Ines/);
    await pick("Related", "hom", /Home/);
    await pick("Chair", "red", /Red chair/);
    await pick("Owner", "olga", /olga/);
    await page.getByText("Red chair").waitFor();
    const text = await publish(page);
    assert.match(text, /related: \[blog\/second, home\]/);
    assert.match(text, /author: authors\/ines\n/);
    assert.match(text, /chair: chair\n/);
    assert.match(text, /owner: \S+\n/);
  });

  it("suggests tags, and adds new ones", async () => {
    const page = await open();
    const input = page.getByRole("combobox", { name: "Tags" });
    await input.fill("har");
    await page.getByRole("option", { name: /harbour/ }).click();
    await input.fill("new one");
    await input.press(",");
    assert.match(await publish(page), /tags:\n {2}- harbour\n {2}- new one\n/);
  });

  it("uploads and chooses a picture with its thumbnail", async () => {
    const page = await open();
    await page.getByRole("button", { name: "Choose a file Cover" }).click();
    const buffer = await picture(64, 48);
    await page
      .getByLabel("Upload a file")
      .setInputFiles({ name: "harbour.png", mimeType: "image/png", buffer });
    await page.locator(".media-chosen img").waitFor();
    assert.match(await publish(page), /cover: harbour\.png\n/);
    await page.getByRole("button", { name: "Choose another file Cover" }).click();
    await page.getByRole("dialog").getByRole("button", { name: "Whole site" }).click();
    await page
      .getByRole("dialog")
      // With its folder: the list of the page is shown until that of the site is loaded.
      .getByRole("button", { name: /harbour\.png.*blog/ })
      .click();
    assert.match(await draft(page), /cover: blog\/first\/harbour\.png\n/);
  });

  it("shows fields whose condition is met, and tabs with their fields", async () => {
    const page = await open();
    assert.equal(await page.getByLabel("Extra").count(), 0);
    await page.getByRole("radio", { name: "Long" }).check();
    await page.getByLabel("Extra").fill("More");
    await page.getByRole("tab", { name: "General" }).press("ArrowRight");
    await page.getByLabel("At", { exact: true }).fill("2031-05-01T08:00");
    await page.getByLabel("Share").fill("7");
    await page.getByRole("checkbox", { name: "m" }).check();
    const text = await publish(page);
    assert.match(
      text,
      /kind: long\nextra: More\nat: 2031-05-01T08:00\nshare: 7\nsizes:\n {2}- m\n/,
    );
  });

  it("keeps data that cannot be read in its control, with the line of the error", async () => {
    const page = await open();
    await page.getByRole("tab", { name: "More" }).click();
    const data = page.getByRole("textbox", { name: "Data" });
    await data.fill('{\n  "a": 2\n  "b": 3\n}');
    await page.getByText(/^Line [23]: /).waitFor();
    assert.equal(await data.getAttribute("aria-invalid"), "true");
    await data.fill('{ "a": 2 }');
    assert.match(await publish(page), /data: \{ a: 2 \}\n/);
  });

  it("shows the server's errors beside the fields inside a value", async () => {
    const page = await open();
    await page.getByRole("textbox", { name: "Name *" }).fill("");
    await saved(page);
    await page.getByRole("button", { name: /^Publish/ }).click();
    const step = page.getByRole("listitem", { name: "Steps 1" });
    await step.getByText(/is required/).waitFor();
    assert.equal(fileText(), ORIGINAL);
  });

  it("names the pages that use a page before it is deleted", async () => {
    const page = await open({ path: "/edit/02.blog/02.second/post.md" });
    await page.getByLabel("More actions").click();
    await page.getByRole("button", { name: "Move to trash" }).click();
    const dialog = page.getByRole("dialog");
    await dialog.getByRole("listitem").filter({ hasText: FIRST }).waitFor();
    await assertAccessible(page, "delete-used-page");
    await dialog.getByRole("button", { name: "Move to trash" }).click();
    await page.getByText("The page is in the trash.").waitFor();
    await page.getByRole("button", { name: "Undo" }).click();
    await page.waitForURL(/\/edit\/02\.blog\/02\.second\/post\.md$/);
    await page.getByRole("textbox", { name: "Text of the page" }).waitFor();
  });

  it("edits a record with the same controls", async () => {
    const page = await open({ path: "/records/product/chair" });
    await page.getByRole("button", { name: "Add a block" }).click();
    await page.getByRole("textbox", { name: "Words *" }).fill("Soft");
    await page.getByRole("button", { name: "Save" }).click();
    await page.getByText("Saved").first().waitFor();
    const text = readFileSync(join(desk.site.root, "flex-objects/product/chair.yaml"), "utf8");
    assert.match(text, /parts:\n\s+- type: quote\n\s+text: Soft/);
  });

  for (const { colorScheme, width } of VIEWS) {
    it(`has no accessibility violations (${colorScheme}, ${width} pixels)`, async () => {
      const page = await open({
        path: `/edit/${FIRST}`,
        colorScheme,
        bypassCSP: true,
        viewport: { width, height: 900 },
      });
      await page.locator(".cm-content").waitFor();
      const button = page.getByRole("button", { name: "Fields" });
      if ((await button.getAttribute("aria-pressed")) === "false") await button.click();
      await page.getByRole("combobox", { name: "Related" }).fill("s");
      await page.locator(".combobox [role=option]").first().waitFor();
      await assertAccessible(page, `fields-${colorScheme}-${width}`);
      await page.keyboard.press("Escape");
      await page.getByRole("button", { name: "Choose a file Cover" }).click();
      await page.getByRole("dialog").waitFor();
      await assertAccessible(page, `media-picker-${colorScheme}-${width}`);
    });
  }
});
