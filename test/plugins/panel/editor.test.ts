import assert from "node:assert/strict";
import type { Browser, Locator } from "playwright-core";
import type { AdminSite } from "../../support/sites/admin-site.js";
import { assertAccessible, bootPanel, takePicture } from "../../support/browsers/panel-browser.js";
import {
  EditorDesk,
  ORIGINAL,
  publish,
  saved,
  textOf,
  typeAtEnd,
} from "../../support/browsers/panel-editor.js";
import { picture } from "../../support/content/pictures.js";
import { useChromium } from "../../support/services.js";
import { until } from "../../support/until.js";
import { VIEWS } from "../../support/browsers/views.js";

/** What each pane shows when it is loaded. */
const PANES = {
  Fields: ".page-form .search-card",
  Preview: ".preview iframe",
  Outline: ".outline button",
  History: ".side-history .revision",
};

/** True when an element of the preview is inside its frame. */
async function isSeen(element: Locator | undefined): Promise<boolean> {
  return (
    (await element?.evaluate((one) => {
      const { top, bottom } = one.getBoundingClientRect();
      return bottom > 0 && top < innerHeight;
    })) === true
  );
}

describe("the panel's editor", () => {
  let browser: Browser;
  let site: AdminSite;
  let desk: EditorDesk;
  before(async function () {
    browser = await useChromium(this);
    site = await bootPanel();
    desk = new EditorDesk(browser, () => site);
  });
  afterEach(() => desk.clear());
  after(() => site.close());

  it("corrects a word on a live page; visitors see it when it is published", async () => {
    const path = await desk.seed("typo");
    const page = await desk.open(path);
    await textOf(page)
      .getByText("First body.")
      .dblclick({ position: { x: 5, y: 5 } });
    await page.keyboard.type("Best");
    await saved(page);
    assert.equal(await desk.file(path), ORIGINAL);
    assert.match(await (await site.fetch("/blog/typo")).text(), /First body/);
    await publish(page);
    assert.equal(await desk.file(path), ORIGINAL.replace("First body", "Best body"));
    assert.match(await (await site.fetch("/blog/typo")).text(), /Best body/);
  });

  it("writes and publishes an illustrated page from the list", async () => {
    const page = await desk.screen("/pages");
    await page.getByRole("button", { name: "New page" }).click();
    const dialog = page.getByRole("dialog", { name: "New page" });
    await dialog.getByLabel("Title").fill("Harbour at dawn");
    await dialog.locator("summary").click();
    await dialog.getByRole("radio", { name: "Blog" }).check();
    await dialog.getByRole("button", { name: "Create and write" }).click();
    await page.locator(".cm-content").waitFor();
    // Nothing is public before it is written.
    await page.locator(".editor-head").getByText("Draft", { exact: true }).waitFor();
    assert.equal((await site.fetch("/blog/harbour-at-dawn")).status, 404);
    await typeAtEnd(page, "Boats leave early.\n\n");
    await page.getByRole("button", { name: "Picture" }).click();
    const buffer = await picture(64, 48);
    await page
      .getByLabel("Upload pictures")
      .setInputFiles({ name: "harbour-dawn.png", mimeType: "image/png", buffer });
    await page.locator("img.md-picture").waitFor();
    await saved(page);
    await takePicture(page, "editor");
    await publish(page);
    const html = await (await site.fetch("/blog/harbour-at-dawn")).text();
    assert.match(html, /Boats leave early/);
    assert.match(html, /<img/);
  });

  it("formats by toolbar, shortcut and slash menu", async () => {
    const path = await desk.seed("format");
    const page = await desk.open(path);
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
    assert.equal(await desk.file(path), `${ORIGINAL}\n**bold**\n\n> said`);
  });

  it("shows bullets, checkboxes and quotes without their marks, and ticks a task off", async () => {
    const text = "\n- one\n- two\n\n1. first\n\n* [ ] ask\n* [x] done\n\n> said\n> twice\n\nEnd.\n";
    const path = await desk.seed("marks", ORIGINAL + text);
    const page = await desk.open(path);
    const lines = async () =>
      (await page.locator(".cm-line").allInnerTexts()).filter((line) => line.trim() !== "");
    const shown = ["First body.", "• one", "• two", "1. first", " ask", " done", "said", "twice"];
    assert.deepEqual(await lines(), [...shown, "End."]);
    const task = page.getByRole("checkbox", { name: "ask" });
    assert.equal(await task.isChecked(), false);
    assert.equal(await page.getByRole("checkbox", { name: "done" }).isChecked(), true);
    await task.focus();
    await page.keyboard.press("Space");
    await saved(page);
    await publish(page);
    assert.equal(await desk.file(path), ORIGINAL + text.replace("[ ] ask", "[x] ask"));
    // The marks are shown where they are edited.
    await page.locator(".cm-line", { hasText: "said" }).click();
    assert.ok((await lines()).includes("> said"));
  });

  it("shows in the card for search engines what visitors get, without Markdown", async () => {
    const text =
      "## Harbour\n\n:::gallery\n![One](a.jpg)\n:::\n\n> [!NOTE]\n> Early **boats**.\n\n| A | B |\n| --- | --- |\n| 1 | 2 |\n";
    const path = await desk.seed("beginning", `---\ntitle: Beginning\n---\n${text}`);
    const page = await desk.open(path);
    const card = page.getByRole("region", { name: "In search engines" });
    await card.getByText("Early boats.").waitFor();
    const shown = await card.locator(".search-result > span").innerText();
    assert.doesNotMatch(shown, /[:>|!*#[]/);
    const html = await (await site.fetch("/blog/beginning")).text();
    const description = /<meta name="description" content="([^"]*)"/.exec(html)?.[1] ?? "";
    assert.equal(shown, description);
  });

  it("links to a page found by its title", async () => {
    const path = await desk.seed("links");
    const page = await desk.open(path);
    await typeAtEnd(page, "\nSee ");
    await page.keyboard.press("Control+Shift+k");
    const dialog = page.getByRole("dialog", { name: "Insert a link" });
    await dialog.getByLabel("Search a page or a file, or type an address").fill("secon");
    await dialog.getByRole("button", { name: /Second/ }).click();
    await page.keyboard.type(" too");
    await saved(page);
    await publish(page);
    assert.equal(await desk.file(path), `${ORIGINAL}\nSee [Second](/blog/second) too`);
  });

  it("links to a file of the site", async () => {
    const path = await desk.seed("link-file");
    await site.write("content/01.home/tides.pdf", "%PDF-1.4\n");
    await site.site.use("content").refresh(["01.home/tides.pdf"]);
    const page = await desk.open(path);
    await typeAtEnd(page, "\nSee ");
    await page.keyboard.press("Control+Shift+k");
    const dialog = page.getByRole("dialog", { name: "Insert a link" });
    await dialog.getByLabel("Search a page or a file, or type an address").fill("tides");
    await dialog.getByRole("button", { name: /tides\.pdf/ }).click();
    await saved(page);
    await publish(page);
    const [, address = ""] =
      /\[tides\.pdf\]\((\/content-media\/[^)]+)\)/.exec(await desk.file(path)) ?? [];
    assert.equal((await site.fetch(address)).status, 200);
  });

  it("archives a live page, and brings it back", async () => {
    const path = await desk.seed("archive");
    const page = await desk.open(path);
    await page.getByLabel("More actions").click();
    await page.getByRole("button", { name: "Archive", exact: true }).click();
    await page.getByText("The page is archived").waitFor();
    assert.match(await desk.file(path), /^status: archived$/m);
    assert.equal((await site.fetch("/blog/archive")).status, 404);
    await page.getByLabel("More actions").click();
    await page.getByRole("button", { name: "Back to draft" }).click();
    await page.getByText("The page is a draft again.").waitFor();
    await publish(page);
    assert.equal((await site.fetch("/blog/archive")).status, 200);
  });

  for (const [slug, hidden] of [
    ["hidden-draft", "draft: true"],
    ["hidden-both", "status: published\ndraft: true"],
  ] as const) {
    it(`shows a page with ${JSON.stringify(hidden)} as a draft, and publishes it`, async () => {
      const path = await desk.seed(slug, ORIGINAL.replace("tags:", `${hidden}\ntags:`));
      const page = await desk.open(path);
      await page.locator(".badge.status-draft").waitFor();
      await publish(page);
      await page.locator(".badge.status-published").waitFor();
      assert.equal((await site.fetch(`/blog/${slug}`)).status, 200);
    });
  }

  it("keeps unpublished text over a reload, and discards it with undo", async () => {
    const path = await desk.seed("reload");
    const page = await desk.open(path);
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

  it("restores an earlier version", async () => {
    const path = await desk.seed("restore");
    const page = await desk.open(path);
    await typeAtEnd(page, "New line.");
    await saved(page);
    await publish(page);
    await page.getByRole("button", { name: "History" }).click();
    await page.locator(".revision").last().click();
    const dialog = page.getByRole("dialog", { name: /^Version of/ });
    await dialog.getByText("New line.").waitFor();
    await dialog.getByRole("button", { name: "Restore this version" }).click();
    await page.getByText(/was restored/).waitFor();
    assert.equal(await desk.file(path), ORIGINAL);
    assert.doesNotMatch((await textOf(page).textContent()) ?? "", /New line/);
  });

  it("shows unsaved text in the theme beside it, at three widths, and follows the cursor", async () => {
    const parts = Array.from({ length: 60 }, (_, at) => `Paragraph ${at + 1}.\n`);
    const path = await desk.seed("preview", ORIGINAL + parts.join("\n"));
    const page = await desk.open(path);
    await page.keyboard.press("Control+Shift+p");
    const frame = page.frameLocator("iframe[name=panel-preview]");
    const [top, end] = ["First body.", "Paragraph 60."].map((text) =>
      frame.getByText(text).first(),
    );
    await top?.waitFor();
    await typeAtEnd(page, " Seen at once.");
    await frame.getByText("Seen at once.").waitFor();
    for (const [name, width] of [
      ["Phone", "390"],
      ["Tablet", "768"],
      ["Desktop", "1280"],
    ] as const) {
      await page.getByRole("button", { name }).click();
      await page.locator(`iframe[width="${width}"]`).waitFor();
      await textOf(page).focus();
      await page.keyboard.press("Control+Home");
      await until(() => isSeen(top));
      await page.keyboard.press("Control+End");
      await until(() => isSeen(end));
      assert.equal(await isSeen(top), false, name);
    }
  });

  it("outlines the text; a heading leads to its place", async () => {
    const body = "# One\n\n```sh\n# no heading\n```\n\nTwo\n---\n\n### Three `x` [link](/)\n";
    const path = await desk.seed("outline", `---\ntitle: Outlined\n---\n${body}`);
    const page = await desk.open(path);
    await page.getByRole("button", { name: "Outline" }).click();
    const list = page.getByRole("complementary", { name: "Outline" }).getByRole("listitem");
    await list.nth(2).waitFor();
    assert.deepEqual(await list.allInnerTexts(), ["One", "Two", "Three x link"]);
    await list.nth(2).getByRole("button").press("Enter");
    await page.keyboard.type(" and more");
    await list.getByText("Three x link and more").waitFor();
    await page.locator(".outline [aria-current]", { hasText: "Three" }).waitFor();
  });

  it("types into the cells of a table, and changes only these", async () => {
    const table = "| A | B |\n|---|:-:|\n| 1 | 2 \\| 3 |\n";
    const content = `---\ntitle: Table\n---\n${table}\nEnd.\n`;
    const path = await desk.seed("table", content);
    const page = await desk.open(path);
    const cell = (row: number, column: number) =>
      page.getByRole("textbox", { name: `Row ${row}, column ${column}` });
    await cell(2, 2).click();
    await page.keyboard.press("End");
    await page.keyboard.type("4|");
    await page.keyboard.press("Shift+Tab");
    await page.keyboard.press("Control+b");
    await page.keyboard.type("one");
    await page.keyboard.press("ArrowUp");
    await page.keyboard.press("Shift+Tab");
    await saved(page);
    await page.keyboard.press("Control+End");
    await publish(page);
    assert.equal(
      await desk.file(path),
      content.replace("| 1 | 2 \\| 3 |", "| **one** | 2 \\| 34\\| |"),
    );
    await textOf(page).getByText("End.").click();
    for (let at = 0; at < 4; at += 1) await page.keyboard.press("Control+z");
    await saved(page);
    await publish(page);
    assert.equal(await desk.file(path), content);
  });

  it("takes a command and words in a cell at once, before the browser tells of its selection", async () => {
    const content = "---\ntitle: Fast\n---\n| A | B |\n|---|---|\n| 1 | 2 |\n\nEnd.\n";
    const path = await desk.seed("fast", content);
    const page = await desk.open(path);
    await page.getByRole("textbox", { name: "Row 2, column 2" }).click();
    await page.evaluate(() => {
      for (const pressed of [
        { key: "Tab", shiftKey: true },
        { key: "b", ctrlKey: true },
      ]) {
        const init = { ...pressed, bubbles: true, cancelable: true };
        document.activeElement?.dispatchEvent(new KeyboardEvent("keydown", init));
      }
      document.execCommand("insertText", false, "one");
    });
    await saved(page);
    await publish(page);
    assert.equal(await desk.file(path), content.replace("| 1 |", "| **one** |"));
  });

  it("changes rows and columns of a table by menus and keys, and only the cells that come and go", async () => {
    const table = "| A | B |\n|---|:-:|\n| 1 | 2 \\| 3 |\n";
    const path = await desk.seed("table-parts", `---\ntitle: Table\n---\n${table}\nEnd.\n`);
    const page = await desk.open(path);
    const choose = async (handle: string, action: string): Promise<void> => {
      await page.getByRole("button", { name: handle, exact: true }).click();
      await page.getByRole("menuitem", { name: action }).click();
    };
    await choose("Column 1", "Column after");
    await page.keyboard.type("New");
    await choose("Column 2", "Align right");
    await choose("Row 1", "Row below");
    await page.keyboard.type("first");
    await page.keyboard.press("Shift+F10");
    await page.getByRole("menuitem", { name: "Row below" }).press("Enter");
    await page.keyboard.type("second");
    await page.keyboard.press("Alt+ArrowDown");
    await page.keyboard.press("Tab");
    await page.keyboard.type("x");
    await page.keyboard.press("Escape");
    await page.keyboard.type("The ");
    await publish(page);
    assert.equal(
      await desk.file(path),
      "---\ntitle: Table\n---\n| A | New | B |\n|---| ---: |:-:|\n| first |  |  |\n| 1 |  | 2 \\| 3 |\n| second | x |  |\n\nThe End.\n",
    );
  });

  it("goes into a table and out of it with the arrow keys, and keeps words beside it apart", async () => {
    const path = await desk.seed("table-arrows", "---\ntitle: Table\n---\nTop.\n\n|A|\n|-|\n|1|\n");
    const page = await desk.open(path);
    await page.locator(".md-table").waitFor();
    await textOf(page).getByText("Top.").click();
    for (const key of ["ArrowDown", "ArrowDown"]) await page.keyboard.press(key);
    await page.keyboard.type("x");
    await page.keyboard.press("ArrowDown");
    await page.keyboard.type("y");
    await page.keyboard.press("Enter");
    await page.keyboard.type("Below.");
    await page.keyboard.press("ArrowUp");
    await page.keyboard.press("ArrowUp");
    await page.keyboard.type("z");
    await publish(page);
    assert.equal(
      await desk.file(path),
      "---\ntitle: Table\n---\nTop.\n\n|xA|\n|-|\n|y1z|\n\nBelow.\n",
    );
  });

  it("shows a picture without its line, and asks for its description", async () => {
    const content = "---\ntitle: Picture\n---\nTop.\n\n![](boat.png)\n\nEnd.\n";
    const path = await desk.seed("figure", content);
    await site.write("content/02.blog/figure/boat.png", await picture(800, 300));
    const page = await desk.open(path);
    const figure = page.locator(".md-figure");
    await figure.locator("img").waitFor();
    assert.doesNotMatch(await textOf(page).innerText(), /boat\.png/);
    await page.locator(".md-figure.is-undescribed").waitFor();
    await figure.getByLabel("Description of the picture").fill("A [red] boat");
    await figure.getByLabel("Caption").fill('The "Sea Lion"');
    await figure.getByRole("button", { name: "Size" }).click();
    await page.getByRole("menuitem", { name: "640 pixels wide" }).click();
    await page.locator(".md-figure:not(.is-undescribed)").waitFor();
    await textOf(page).getByText("Top.").click();
    for (const key of ["ArrowDown", "ArrowDown"]) await page.keyboard.press(key);
    await textOf(page).getByText("boat.png").waitFor();
    await page.keyboard.press("End");
    await publish(page);
    const line = '![A \\[red\\] boat](boat.png?width=640 "The \\"Sea Lion\\"")';
    assert.equal(await desk.file(path), content.replace("![](boat.png)", line));
    const html = await (await site.fetch("/blog/figure")).text();
    assert.match(html, /<img[^>]*alt="A \[red\] boat"/);
  });

  it("nests items of lists with Tab; Tab elsewhere, and after Escape, leaves the text", async () => {
    const path = await desk.seed("tab", "---\ntitle: Tab\n---\n- one\n- two\n\nEnd.\n");
    const page = await desk.open(path);
    const isInText = (): Promise<boolean> =>
      textOf(page).evaluate((element) => element === document.activeElement);
    await textOf(page).getByText("two").click();
    await page.keyboard.press("Tab");
    assert.equal(await isInText(), true);
    await saved(page);
    await publish(page);
    assert.match(await desk.file(path), /^- one\n {2}- two$/m);
    await textOf(page).getByText("two").click();
    await page.keyboard.press("Escape");
    await page.keyboard.press("Tab");
    assert.equal(await isInText(), false);
    await textOf(page).getByText("End.").click();
    await page.keyboard.press("Tab");
    assert.equal(await isInText(), false);
  });

  it("draws the rows of a long table that are in view, and edits the last one", async () => {
    const rows = Array.from({ length: 500 }, (_, at) => `| ${at + 1} | b |\n`).join("");
    const content = `---\ntitle: Long\n---\n| A | B |\n|---|---|\n${rows}\nEnd.\n`;
    const path = await desk.seed("table-long", content);
    const page = await desk.open(path);
    await page.locator(".md-cell").first().waitFor();
    assert.ok((await page.locator(".md-cell").count()) < 400);
    await textOf(page).focus();
    await page.keyboard.press("Control+End");
    for (const key of ["ArrowUp", "ArrowUp", "ArrowUp"]) await page.keyboard.press(key);
    await page.keyboard.press("End");
    await page.keyboard.type("th");
    await publish(page);
    assert.equal(await desk.file(path), content.replace("| 500 | b |", "| 500 | bth |"));
  });

  it("pastes formatted text as Markdown, without what could run", async () => {
    const path = await desk.seed("paste");
    const page = await desk.open(path);
    const paste = (html: string, plain: string): Promise<void> =>
      page.evaluate(
        ([first = "", second = ""]) => {
          const data = new DataTransfer();
          data.setData("text/html", first);
          data.setData("text/plain", second);
          const paste = new ClipboardEvent("paste", { clipboardData: data, bubbles: true });
          document.querySelector(".cm-content")?.dispatchEvent(paste);
        },
        [html, plain],
      );
    await textOf(page).click();
    await page.keyboard.press("Control+End");
    await paste(
      `<b style="font-weight:normal" id="docs-internal-guid-1"><h2>Boats</h2><p>Two <span style="font-weight:700">old</span> <i>ones</i>,
       <a href="https://example.org/a" onclick="x()">here</a> and <a href="javascript:alert(1)">there</a>.</p>
       <ul><li>red</li><li>blue</li></ul><img src="data:image/png;base64,AAAA" alt="no" onerror="x()">
       <table><tr><th>A</th><th>B</th></tr><tr><td>1</td><td>2</td></tr></table><script>x()</script></b>`,
      "Boats",
    );
    await textOf(page).getByText("Boats").waitFor();
    await page.keyboard.press("Enter");
    // Editors of code copy text with colours: it stays as it is.
    await paste(`<div style="color:#fff"><span>a *b*</span></div>`, "a *b* _c_");
    await textOf(page).getByText("_c_").waitFor();
    await saved(page);
    await publish(page);
    const text = await desk.file(path);
    assert.match(
      text,
      /First body\.\n## Boats\n\nTwo \*\*old\*\* \*ones\*,\s+\[here\]\(https:\/\/example\.org\/a\)/,
    );
    assert.match(text, /- red\n- blue/);
    assert.match(text, /\| A \| B \|\n\| - \| - \|\n\| 1 \| 2 \|/);
    assert.match(text, /a \*b\* _c_$/);
    assert.doesNotMatch(text, /javascript|x\(\)|data:|<|onerror/);
  });

  it("shows how search engines and other sites show the page", async () => {
    const path = await desk.seed("cards", "---\ntitle: Cards\n---\nOf boats.\n");
    await site.write("content/02.blog/cards/boat.png", await picture(400, 200));
    const page = await desk.open(path);
    const card = page.getByRole("region", { name: "In search engines" });
    await card.getByText("Of boats.").waitFor();
    await card.getByText("On other sites").click();
    const social = card.locator(".social-card");
    await social.getByText("Cards").first().waitFor();
    await page.getByLabel("Summary").fill("About boats and harbours");
    await social.getByText("About boats and harbours").waitFor();
    await page.getByLabel("Summary").fill("long ".repeat(40));
    await card.getByText(/The summary has (?:199|200) characters/).waitFor();
  });

  it("edits front matter by its fields, and keeps comments and order", async () => {
    const path = await desk.seed("fields");
    const page = await desk.open(path);
    await page.getByLabel("Summary").fill("About boats");
    await page.getByLabel("Tags").fill("sea");
    await page.keyboard.press("Enter");
    await page.getByLabel("Title").fill("First of all");
    await saved(page);
    await publish(page);
    const lines = ["# a comment", "title: First of all", "tags: [a, sea]", "summary: About boats"];
    assert.equal(await desk.file(path), `---\n${lines.join("\n")}\n---\nFirst body.\n`);
  });

  it("lets authors ask for a review of a live page", async () => {
    const path = await desk.seed("review");
    const page = await desk.open(path, { role: "author" });
    await typeAtEnd(page, "By the author.");
    await page.getByRole("button", { name: "Ask for review" }).click();
    const dialog = page.getByRole("dialog", { name: "Ask for a review" });
    await dialog.getByRole("button", { name: "Ask for review" }).click();
    await page.getByText("Editors see your request on their dashboard.").waitFor();
    assert.equal(await desk.file(path), ORIGINAL);
    const editor = await desk.screen("", { role: "editor" });
    await editor.getByText("Review requested").waitFor();
  });

  it("shares a preview with people who have no account", async () => {
    const path = await desk.seed("share");
    const page = await desk.open(path);
    await typeAtEnd(page, "Secret until published.");
    await page.getByLabel("More actions").click();
    await page.getByRole("button", { name: "Share a preview …" }).click();
    await page.getByRole("button", { name: "Create address" }).click();
    const url = await page.getByLabel(/^Address, valid until/).inputValue();
    const answer = await fetch(new URL(new URL(url).pathname + new URL(url).search, site.url));
    assert.equal(answer.status, 200);
    assert.match(await answer.text(), /Secret until published/);
  });

  it("shares the site at a time to come", async () => {
    const path = await desk.seed(
      "share-later",
      "---\ntitle: Later\npublish_date: 2031-05-01T08:00:00Z\n---\nIn five years.\n",
    );
    const page = await desk.open(path);
    await page.getByLabel("More actions").click();
    await page.getByRole("button", { name: "Share a preview …" }).click();
    await page.getByLabel("What it shows").selectOption("The site at a time");
    await page.getByLabel("Date and time").fill("2031-04-01T10:00");
    await page.getByRole("button", { name: "Create address" }).click();
    await page.getByRole("alert").getByText("not public at this moment").waitFor();
    await page.getByLabel("Date and time").fill("2031-06-01T10:00");
    await page.getByRole("button", { name: "Create address" }).click();
    const url = new URL(await page.getByLabel(/^Address, valid until/).inputValue());
    await assertAccessible(page, "share-moment");
    const answer = await fetch(new URL(url.pathname + url.search, site.url));
    assert.match(await answer.text(), /In five years/);
    assert.match(answer.headers.get("cache-control") ?? "", /no-store/);
  });

  for (const { colorScheme, width } of VIEWS) {
    it(`has no accessibility violations (${colorScheme}, ${width} pixels)`, async () => {
      const viewport = { width, height: 900 };
      const path = await desk.seed(`access-${colorScheme}-${width}`);
      const page = await desk.open(path, { colorScheme, viewport, bypassCSP: true });
      await typeAtEnd(
        page,
        "\n## Heading\n\n- one\n- two\n\n> quote `code` **bold** [link](/blog)\n\n| Fish | Price |\n| --- | ---: |\n| Cod | 2 |\n",
      );
      await saved(page);
      await assertAccessible(page, `editor-${colorScheme}-${width}`);
      for (const pane of ["Fields", "Preview", "Outline", "History"] as const) {
        const button = page.getByRole("button", { name: pane });
        if ((await button.getAttribute("aria-pressed")) === "false") await button.click();
        await page.locator(PANES[pane]).first().waitFor();
        await assertAccessible(page, `editor-${pane}-${colorScheme}-${width}`);
      }
    });
  }
});
