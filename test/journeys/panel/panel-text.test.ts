import assert from "node:assert/strict";
import type { Browser, Page } from "playwright-core";
import { bootPanel, checkAccessible, panelPlugins } from "../../support/browsers/panel-browser.js";
import { EditorDesk, publish, saved, textOf } from "../../support/browsers/panel-editor.js";
import { picture } from "../../support/content/pictures.js";
import { useChromium } from "../../support/services.js";
import { until } from "../../support/until.js";
import type { AdminSite } from "../../support/sites/admin-site.js";

const page = (body: string): string => `---\ntitle: Text\n---\n${body}`;

describe("the text of the panel's editor", () => {
  let browser: Browser;
  let site: AdminSite;
  let desk: EditorDesk;
  before(async function () {
    browser = await useChromium(this);
    site = await bootPanel({ plugins: [...panelPlugins, "embeds"] });
    desk = new EditorDesk(browser, () => site);
  });
  afterEach(() => desk.clear());
  after(() => site.close());

  it("shows the target of a link, changes it, removes it, and links the selection", async () => {
    const body =
      "See [the *other* page](/blog/second 'T'), [there](https://example.org) and more.\n";
    const path = await desk.seed("link-bar", page(body));
    const view = await desk.open(path);
    const bar = view.getByRole("group", { name: "Link" });
    await textOf(view).getByText("there").click();
    const link = bar.getByRole("link", { name: "https://example.org" });
    assert.equal(await link.getAttribute("href"), "https://example.org/");
    await textOf(view).getByText("page", { exact: true }).click();
    await bar.getByRole("link", { name: "Second" }).waitFor();
    await bar.getByRole("button", { name: "Change the link" }).click();
    const dialog = view.getByRole("dialog", { name: "Change the link" });
    await dialog.getByLabel("Search a page or a file, or type an address").fill("/new place");
    await view.keyboard.press("Enter");
    await textOf(view).getByText("there").click();
    await bar.getByRole("button", { name: "Remove the link" }).click();
    await view.keyboard.press("Control+End");
    await view.keyboard.press("ArrowLeft");
    await view.keyboard.press("ArrowLeft");
    await view.keyboard.press("Control+Shift+ArrowLeft");
    await view.keyboard.press("Control+k");
    const insert = view.getByRole("dialog", { name: "Insert a link" });
    await insert.getByLabel("Search a page or a file, or type an address").fill("#end");
    await view.keyboard.press("Enter");
    await saved(view);
    await publish(view);
    assert.equal(
      await desk.file(path),
      page("See [the *other* page](</new place> 'T'), there and [more](#end).\n"),
    );
  });

  it("opens the palette with Ctrl K where there is nothing to link", async () => {
    const view = await desk.open(await desk.seed("link-palette", page("Words.\n")));
    await textOf(view).click();
    await view.keyboard.press("Control+k");
    await view.getByRole("dialog", { name: "Commands" }).waitFor();
  });

  it("shows the language of code, and changes it on its fence", async () => {
    const path = await desk.seed("code", page('Words.\n\n```js {1} title="a.js"\nlet a;\n```\n'));
    const view = await desk.open(path);
    await view.getByRole("button", { name: "Language of the code: JavaScript" }).click();
    await view.getByRole("combobox", { name: "Language of the code" }).fill("typesc");
    await view.keyboard.press("Enter");
    await view.getByRole("button", { name: "Language of the code: TypeScript" }).waitFor();
    await saved(view);
    await publish(view);
    assert.equal(await desk.file(path), page('Words.\n\n```ts {1} title="a.js"\nlet a;\n```\n'));
    assert.doesNotMatch(await textOf(view).innerText(), /```/);
    await textOf(view).getByText("let a;").click();
    await view.keyboard.press("ArrowUp");
    assert.match(await textOf(view).innerText(), /```ts \{1\}/);
  });

  const BLOCKS = "## Head\n\nFirst words.\n\n- one\n- two\n\n> Quote.\n\nLast words.\n";

  it("moves, duplicates, converts and deletes blocks by keyboard, in one undo history", async () => {
    const path = await desk.seed("blocks", page(BLOCKS));
    const view = await desk.open(path);
    await view.locator(".md-block-handle").waitFor({ state: "attached" });
    await textOf(view).getByText("First words.").click();
    await view.keyboard.press("Alt+ArrowDown");
    await textOf(view).getByText("two").click();
    await view.keyboard.press("Alt+ArrowUp");
    await textOf(view).getByText("Last words.").click();
    await view.keyboard.press("Control+/");
    const menu = view.getByRole("menu", { name: "Paragraph: actions" });
    assert.equal(await menu.getByRole("menuitem", { name: "Move down" }).isDisabled(), true);
    await menu.getByRole("menuitem", { name: "Heading 3" }).click();
    await view.keyboard.type("!");
    await textOf(view).getByText("Quote.").click();
    await view.keyboard.press("Control+/");
    await view.getByRole("menuitem", { name: "Duplicate" }).click();
    await textOf(view).getByText("Head").click();
    await view.keyboard.press("Control+/");
    await view.getByRole("menuitem", { name: "Delete" }).click();
    await saved(view);
    await publish(view);
    assert.equal(
      await desk.file(path),
      page("- two\n- one\n\nFirst words.\n\n> Quote.\n\n> Quote.\n\n### Last words.!\n"),
    );
    for (let step = 0; step < 8; step += 1) await view.keyboard.press("Control+z");
    await saved(view);
    await publish(view);
    assert.equal(await desk.file(path), page(BLOCKS));
  });

  it("drags a block by its handle; Escape cancels the drag", async () => {
    const path = await desk.seed("drag", page(BLOCKS));
    const view = await desk.open(path);
    const handle = view.locator(".md-block-handle");
    await handle.waitFor({ state: "attached" });
    const middle = async (words: string): Promise<number> => {
      const box = await textOf(view).getByText(words).boundingBox();
      return (box?.y ?? 0) + (box?.height ?? 0) / 2;
    };
    const take = async (words: string): Promise<number> => {
      await textOf(view).getByText(words).hover();
      const y = await middle(words);
      await until(async () => Math.abs(((await handle.boundingBox())?.y ?? 0) + 13 - y) < 10);
      const box = await handle.boundingBox();
      const x = (box?.x ?? 0) + 10;
      await view.mouse.move(x, y);
      await view.mouse.down();
      return x;
    };
    const x = await take("Quote.");
    await view.mouse.move(x, (await middle("First words.")) - 8, { steps: 4 });
    await view.locator(".md-drop-line").waitFor();
    await view.mouse.up();
    await take("Head");
    await view.mouse.move(x, await middle("Last words."), { steps: 4 });
    await view.locator(".md-drop-line").waitFor();
    await view.keyboard.press("Escape");
    await view.mouse.up();
    await view.locator(".md-drop-line").waitFor({ state: "hidden" });
    assert.equal(await view.getByRole("menu").count(), 0);
    await saved(view);
    await publish(view);
    assert.equal(
      await desk.file(path),
      page("## Head\n\n> Quote.\n\nFirst words.\n\n- one\n- two\n\nLast words.\n"),
    );
    await take("Quote.");
    await view.mouse.up();
    await view.getByRole("menu", { name: "Quote: actions" }).waitFor();
  });

  it("wraps a long title; Enter moves to the text", async () => {
    const path = await desk.seed("title", page("Words.\n"));
    const view = await desk.open(path);
    const title = view.getByLabel("Title", { exact: true });
    const height = (await title.boundingBox())?.height ?? 0;
    const words = "A title that needs more than one line, as titles sometimes do, also here";
    await title.fill(words);
    await until(async () => ((await title.boundingBox())?.height ?? 0) > height * 1.5);
    await title.press("Enter");
    await view.keyboard.type("Now: ");
    await saved(view);
    await publish(view);
    assert.equal(await desk.file(path), `---\ntitle: ${words}\n---\nNow: Words.\n`);
  });

  it("finds and replaces, and counts selected words", async () => {
    const path = await desk.seed("find", page("A boat, two boats.\n\n> One Boat more.\n"));
    const view = await desk.open(path);
    await textOf(view).click();
    await view.keyboard.press("Control+f");
    const panel = view.getByRole("search", { name: "Find and replace" });
    await view.keyboard.type("boat");
    await panel.getByText("3 found").waitFor();
    await view.keyboard.press("Enter");
    await panel.getByText("1 of 3").waitFor();
    await panel.getByRole("button", { name: "Match case" }).click();
    await panel.getByText("1 of 2").waitFor();
    await panel.getByLabel("Replace with").fill("ship");
    await panel.getByRole("button", { name: "Replace all" }).click();
    await panel.getByText("Nothing found").waitFor();
    await view.keyboard.press("Escape");
    await panel.waitFor({ state: "hidden" });
    await view.keyboard.press("Control+a");
    await view.getByText("7 of 7 words selected").waitFor();
    await saved(view);
    await publish(view);
    assert.equal(await desk.file(path), page("A ship, two ships.\n\n> One Boat more.\n"));
  });

  it("marks what is found in the cells of tables too", async () => {
    const body = "Tide.\n\n| Tide | B |\n| --- | --- |\n| low \\| tide | **tide** |\n";
    const path = await desk.seed("find-table", page(body));
    const view = await desk.open(path);
    await view.locator(".md-table").waitFor();
    const marked = (name: string) =>
      view.evaluate<string[]>(
        `[...(CSS.highlights.get("${name}") ?? [])].map((range) => range.startContainer.parentElement.closest(".md-cell").dataset.row + " " + range)`,
      );
    await textOf(view).getByText("Tide.").click();
    await view.keyboard.press("Control+f");
    const field = view.getByRole("search").getByLabel("Find", { exact: true });
    await field.fill("tide");
    await until(async () => (await marked("find-match")).length === 3);
    assert.deepEqual(await marked("find-match"), ["0 Tide", "1 tide", "1 tide"]);
    for (let step = 0; step < 3; step += 1) await field.press("Enter");
    // The marks follow the keys in the next frame.
    await until(async () => (await marked("find-match")).join() === "0 Tide,1 tide");
    assert.deepEqual(await marked("find-match-selected"), ["1 tide"]);
    await field.press("Escape");
    await until(async () => (await marked("find-match")).length === 0);
    assert.equal(await desk.file(path), page(body));
  });

  it("types quotes of the page's language when this is on, and hides everything but the text", async () => {
    const path = await desk.seed("quotes", page("Words.\n"));
    const view = await desk.open(path);
    await view.locator(".md-block-handle").waitFor({ state: "attached" });
    await textOf(view).click();
    await view.keyboard.press("Control+Shift+F");
    await view.getByRole("navigation", { name: "Menu" }).waitFor({ state: "hidden" });
    await view.keyboard.press("Control+Shift+F");
    await view.getByRole("navigation", { name: "Menu" }).waitFor();
    await view.keyboard.press("Control+End");
    await view.keyboard.type('"no" ');
    await view.getByRole("button", { name: "Writing options" }).click();
    await view.getByRole("menuitemcheckbox", { name: "Typographic quotes" }).click();
    await view.keyboard.type('"yes" `"code"` "');
    await view.keyboard.press("Control+z");
    await saved(view);
    await publish(view);
    assert.equal(await desk.file(path), page('Words.\n"no" “yes” `"code"` "'));
  });

  /** Pastes HTML into the field that has the focus. */
  const paste = (view: Page, html: string, plain = "plain"): Promise<void> =>
    view.evaluate(
      ([first = "", second = ""]) => {
        const data = new DataTransfer();
        data.setData("text/html", first);
        data.setData("text/plain", second);
        const event = new ClipboardEvent("paste", {
          clipboardData: data,
          bubbles: true,
          cancelable: true,
        });
        document.querySelector(".cm-content")?.dispatchEvent(event);
      },
      [html, plain],
    );
  const item = (level: number, mark: string, words: string): string =>
    `<p class=MsoListParagraph style='margin-left:36pt;mso-list:l0 level${level} lfo1'><![if !supportLists]><span style='mso-list:Ignore'>${mark}<span>&nbsp;&nbsp; </span></span><![endif]>${words}<o:p></o:p></p>\n`;

  it("pastes text from Word, Google Docs, Notion and Excel, and reports what is left out", async () => {
    const path = await desk.seed("paste", page("Before after.\n"));
    const view = await desk.open(path);
    await textOf(view).click();
    await view.keyboard.press("Control+Home");
    for (let step = 0; step < 7; step += 1) await view.keyboard.press("ArrowRight");
    const word = `<body><!--StartFragment--><p class=MsoTitle>Tides<o:p></o:p></p>
      <p class=MsoNormal>High <b>and</b> low<a href="#_Toc12">.</a><o:p></o:p></p><p class=MsoNormal><o:p>&nbsp;</o:p></p>
      ${item(1, "·", "one")}${item(2, "o", "nested")}${item(1, "·", "two")}
      <p class=MsoNormal>Then:</p>${item(1, "1.", "first")}${item(1, "2.", "second")}
      <p class=MsoNormal><img src="file:///C:/a.png" alt="A"></p><!--EndFragment--></body>`;
    await paste(view, word);
    await view.getByText("Pasted without one picture").waitFor();
    const docs = `<b style="font-weight:normal" id="docs-internal-guid-1"><h2><span style="font-weight:700">Docs</span></h2>
      <ul><li><p><span>a</span></p></li><ul><li><p><span style="text-decoration:line-through">b</span></p></li></ul></ul>
      <ul><li role="checkbox" aria-checked="true"><img src="data:,x"><p><span>done</span></p></li></ul></b>`;
    await paste(view, docs);
    await textOf(view).getByText("done").waitFor();
    await paste(view, "<h3>Notion</h3><ul><li>[ ] open</li><li>[x] closed</li></ul>");
    await textOf(view).getByText("closed").waitFor();
    const excel =
      "<table><tr><td colspan=2>Fish</td></tr><tr><td>Cod<br>fresh</td><td>2|3</td></tr></table>";
    await paste(view, excel);
    await view.getByText("Pasted without one merged cell").waitFor();
    await saved(view);
    await publish(view);
    assert.equal(
      await desk.file(path),
      page(
        "Before \n\n## Tides\n\nHigh **and** low.\n\n- one\n  - nested\n- two\n\nThen:\n\n1. first\n2. second\n\n" +
          "## Docs\n\n- a\n  - ~~b~~\n\n* [x] done\n\n### Notion\n\n- [ ] open\n- [x] closed\n\n" +
          "| Fish | |\n| - | - |\n| Cod fresh | 2\\|3 |\n\nafter.\n",
      ),
    );
  });

  it("stays usable while 2 MB from Word are pasted, and inserts them where the cursor was", async () => {
    const path = await desk.seed("paste-long", page("Before.\n\nAfter.\n"));
    const view = await desk.open(path);
    await textOf(view).getByText("Before.").click();
    await view.keyboard.press("End");
    const words = "<b>Boats</b> leave early when the tide turns. ".repeat(8);
    const part = `<p class=MsoNormal style='margin-bottom:8.0pt;line-height:107%'>${words}<o:p></o:p></p>\n`;
    const count = Math.ceil(2_000_000 / part.length);
    await paste(view, `<body>${part.repeat(count)}</body>`);
    await view.getByText(/^Pasting … \d+ %$/).waitFor();
    await view.keyboard.type("!");
    await view.getByText(/^Pasting/).waitFor({ state: "hidden" });
    await saved(view);
    await publish(view);
    const text = await desk.file(path);
    assert.match(text, /Before\.!?\n\n\*\*Boats\*\* leave/);
    assert.equal(text.split("\n\n").length, count + 2);
    assert.equal(
      text.replace(/\*\*Boats[^\n]*\n+/g, "").replace("!", ""),
      page("Before.\n\nAfter.\n"),
    );
  });

  it("puts each of several pictures in its own paragraph, and finds pictures of the whole site", async () => {
    const path = await desk.seed("pictures", page("Words.\n"));
    const view = await desk.open(path);
    const buffer = await picture(40, 30);
    await site.write("content/01.home/harbour-at-noon.png", buffer);
    await site.site.use("content").refresh(["01.home/harbour-at-noon.png"]);
    await textOf(view).click();
    await view.keyboard.press("Control+End");
    const insert = async () => {
      await view.getByRole("button", { name: "Picture", exact: true }).click();
      return view.getByRole("dialog", { name: "Insert a picture" });
    };
    const files = ["a.png", "b.png"].map((name) => ({ name, mimeType: "image/png", buffer }));
    await (await insert()).getByLabel("Upload pictures").setInputFiles(files);
    await view.getByText("2 files were uploaded.").waitFor();
    await view.keyboard.press("Enter");
    await view.keyboard.press("Enter");
    const dialog = await insert();
    await dialog.getByLabel("Search the pictures of the site").fill("noon");
    await dialog.getByRole("button", { name: /harbour-at-noon\.png/ }).click();
    await saved(view);
    await publish(view);
    assert.match(
      await desk.file(path),
      /Words\.\n\n!\[\]\(a\.png\)\n\n!\[\]\(b\.png\)\n\n!\[\]\(\/[^?)]*harbour-at-noon\.png\)$/,
    );
  });

  it("shows shortcodes and files as cards, and tables in quotes and lists as text", async () => {
    const body =
      'Words.\n\n{{ embed "https://www.youtube.com/watch?v=abc" }}\n\n[The *tides*](tides.pdf)\n\n' +
      "{{ unknown }}\n\n> | A |\n> |---|\n> | 1 |\n\n- item\n\n  | B |\n  |---|\n  | 2 |\n";
    const path = await desk.seed("cards", page(body));
    await site.write("content/02.blog/cards/tides.pdf", "%PDF-1.4\n");
    const view = await desk.open(path);
    const cards = view.locator(".md-card");
    await cards.getByText("Video or post").waitFor();
    await cards.getByText("The *tides*").waitFor();
    assert.equal(await cards.count(), 2);
    await cards.getByLabel("Video or post: Title").fill('High "tide"');
    const link = cards.getByRole("link", { name: /watch/ });
    assert.equal(await link.getAttribute("href"), "https://www.youtube.com/watch?v=abc");
    assert.equal(await view.locator(".md-table").count(), 0);
    await cards.getByRole("button", { name: "Edit: Video or post" }).click();
    for (let step = 0; step < 3; step += 1) await view.keyboard.press("ArrowLeft");
    await view.keyboard.type(" ");
    await textOf(view).getByText("| 1 |").click();
    await cards.getByLabel("Video or post: Address").press("End");
    await view.keyboard.type("d");
    await textOf(view).getByText("| 1 |").click();
    await view.keyboard.press("End");
    await view.keyboard.press("ArrowLeft");
    await view.keyboard.press("ArrowLeft");
    await view.keyboard.type("0");
    await saved(view);
    await publish(view);
    const expected = body
      .replace('=abc"', '=abcd" title="High \\"tide\\"" ')
      .replace("| 1 |", "| 10 |");
    assert.equal(await desk.file(path), page(expected));
  });

  const BOXES =
    "Begin.\n\n> [!NOTE]\n> Alert.\n\n::: tip Small  steps {#a}\nTip *words*.\n:::\n\n:::warning[A \\] b]\nx\n:::\n\n" +
    ":::: tabs\n::: tab One\nFirst.\n:::\n\n::: tab Two\nSecond.\n:::\n::::\n\nEnd.\n";

  it("shows notices and tabs as boxes, and edits them by fields", async () => {
    const path = await desk.seed("boxes", page(BOXES));
    const view = await desk.open(path);
    await textOf(view).getByText("Begin.").click();
    const kinds = view.getByRole("combobox", { name: "Kind of the box" });
    await kinds.nth(2).waitFor();
    assert.doesNotMatch(await textOf(view).innerText(), /:::|\[!NOTE\]/);
    assert.equal(await desk.file(path), page(BOXES));
    const titles = view.getByRole("textbox", { name: "Title of the box" });
    assert.equal(await titles.nth(1).inputValue(), "A ] b");
    assert.equal(await textOf(view).getByText("Begin.").getAttribute("class"), "cm-line");
    await kinds.nth(0).selectOption("Warning");
    await kinds.nth(1).selectOption("Success");
    await titles.nth(0).press("End");
    await titles.nth(0).pressSequentially(" first");
    await titles.nth(1).fill("A ] c");
    await view.keyboard.press("Enter");
    await view.keyboard.type("y");
    const tabs = view.getByRole("textbox", { name: "Title of the tab" });
    await tabs.nth(1).fill("Zwei");
    await view.getByRole("button", { name: "Move the tab up" }).nth(1).click();
    await view.getByRole("button", { name: "Add a tab" }).click();
    await view.keyboard.type("Three");
    await saved(view);
    await publish(view);
    assert.equal(
      await desk.file(path),
      page(
        "Begin.\n\n> [!WARNING]\n> Alert.\n\n::: success Small  steps first {#a}\nTip *words*.\n:::\n\n" +
          ":::warning[A \\] c]\nyx\n:::\n\n:::: tabs\n::: tab Zwei\nSecond.\n:::\n\n::: tab One\nFirst.\n:::\n" +
          "::: tab Three\n\n:::\n::::\n\nEnd.\n",
      ),
    );
    await checkAccessible(view, "boxes");
    await textOf(view).focus();
    await view.keyboard.press("Control+Home");
    await view.keyboard.press("ArrowDown");
    await view.keyboard.press("ArrowDown");
    await textOf(view).getByText("[!WARNING]").waitFor();
  });

  it("shows galleries and buttons as lists, and edits them by fields", async () => {
    const body =
      "Words.\n\n::: gallery\n![](a.png)\n\n![B](b.png 'Two') ![C](c.png)\n:::\n\n" +
      "::: buttons\n[Go](/go 'x')\n[More \\[1\\]](/more)\n:::\n\n::: gallery\nText ![D](a.png)\n:::\n";
    const path = await desk.seed("lists", page(body));
    for (const name of ["a", "b", "c"]) {
      await site.write(`content/02.blog/lists/${name}.png`, await picture(40, 30));
    }
    const view = await desk.open(path);
    await textOf(view).getByText("Words.").click();
    const gallery = view.getByRole("group", { name: "Gallery, 3 pictures" });
    await gallery.waitFor();
    assert.equal(await view.locator(".md-gallery").count(), 1);
    assert.doesNotMatch(await textOf(view).innerText(), /c\.png|\/more/);
    assert.equal(await desk.file(path), page(body));
    await gallery.getByLabel("Description of picture 1").fill("A [1]");
    await gallery.getByRole("button", { name: "Move picture 3 forward" }).click();
    await gallery.getByRole("button", { name: "Remove picture 3" }).click();
    const buttons = view.locator(".md-buttons");
    await buttons.getByLabel("Text of button 2").press("End");
    await view.keyboard.type("!");
    await buttons.getByLabel("Address of button 1").fill("/start here");
    await buttons.getByRole("button", { name: "Move button 2 up" }).click();
    await buttons.getByRole("button", { name: "Add a button" }).click();
    await view.keyboard.type("Last ]");
    await checkAccessible(view, "lists");
    await saved(view);
    await publish(view);
    const expected =
      "Words.\n\n::: gallery\n![A \\[1\\]](a.png)\n\n![C](c.png)\n:::\n\n" +
      "::: buttons\n[More \\[1\\]!](/more)\n[Go](</start here> 'x')\n[Last \\]](/)\n:::\n\n::: gallery\nText ![D](a.png)\n:::\n";
    assert.equal(await desk.file(path), page(expected));
    await view
      .getByRole("group", { name: "Gallery, 2 pictures" })
      .getByRole("button", { name: "Add a picture" })
      .click();
    const dialog = view.getByRole("dialog", { name: "Insert a picture" });
    await dialog.getByRole("button", { name: /b\.png/ }).click();
    await view.getByRole("group", { name: "Gallery, 3 pictures" }).waitFor();
    await view.keyboard.press("Control+End");
    await view.keyboard.type("\n/schaltf");
    await view.keyboard.press("Enter");
    await view.keyboard.type("Press");
    await saved(view);
    await publish(view);
    assert.equal(
      await desk.file(path),
      page(expected.replace("(c.png)", "(c.png)\n![](b.png)") + "\n::: buttons\n[Press](/)\n:::\n"),
    );
  });

  describe("while a part is loaded, keys that are meant for it", () => {
    /** Opens the text, in which scripts of one name load when `go` is called. */
    async function holding(name: string, body: string) {
      const path = await desk.seed(`early-${name}`, page(body));
      const view = await desk.screen("/account");
      let open = (): void => undefined;
      const gate = new Promise<void>((resolve) => (open = resolve));
      let asked = 0;
      await view.route(new RegExp(`/assets/panel/${name}-[^/]*\\.js`), async (route) => {
        asked += 1;
        await gate;
        await route.continue();
      });
      await view.goto(`/admin/edit/${path}`);
      await textOf(view).click();
      // The toolbar and the handles of blocks come with it.
      if (name !== "later") {
        await view.getByRole("button", { name: "Picture", exact: true }).waitFor();
        await view.locator(".md-block-handle").waitFor({ state: "attached" });
      }
      await view.keyboard.press("Control+Home");
      const go = async (): Promise<void> => {
        await until(() => asked > 0);
        open();
      };
      const lines = async (): Promise<string[]> =>
        (await view.locator(".cm-line").allInnerTexts()).map((line) => line.trimEnd());
      const type = (text: string): Promise<void> => view.keyboard.type(text);
      const press = (key: string): Promise<void> => view.keyboard.press(key);
      return { view, go, lines, type, press };
    }
    const LINK = "Search a page or a file, or type an address";

    it("are typed in the search", async () => {
      const { view, go, lines, type, press } = await holding("find-panel", "A boat, two boats.");
      await press("Control+f");
      await type("bo");
      await press("Control+f");
      await type("at");
      await go();
      const panel = view.getByRole("search", { name: "Find and replace" });
      await panel.getByText("2 found").waitFor();
      assert.equal(await panel.getByLabel("Find", { exact: true }).inputValue(), "boat");
      assert.deepEqual(await lines(), ["A boat, two boats."]);
    });

    it("are typed in the text again after Escape", async () => {
      const { view, go, lines, type, press } = await holding("find-panel", "Words.");
      await press("Control+f");
      await type("lost");
      await press("Escape");
      await type("My ");
      await go();
      await view.waitForResponse(/find-panel/);
      assert.deepEqual(await lines(), ["My Words."]);
      assert.equal(await view.getByRole("search", { name: "Find and replace" }).count(), 0);
    });

    for (const name of ["link-picker", "later"]) {
      it(`are typed in the dialog of a link (${name})`, async () => {
        const { view, go, lines, type, press } = await holding(name, "Words.");
        await press("Control+Shift+ArrowRight");
        await press("Control+k");
        await type("#end");
        await go();
        const field = view.getByRole("dialog").getByLabel(LINK);
        await field.waitFor();
        assert.equal(await field.inputValue(), "#end");
        await press("Enter");
        await until(async () => (await lines())[0] === "[Words](#end).");
      });
    }

    it("are typed in the palette, and after its end in the text", async () => {
      const { view, go, lines, type, press } = await holding("palette", "Words.");
      // Without a selection, what is typed next goes nowhere.
      await view.evaluate(() => {
        const text = document.querySelector(".cm-content");
        text?.addEventListener("focusin", () =>
          queueMicrotask(() => {
            const isIn = text.contains(document.getSelection()?.anchorNode ?? null);
            text.setAttribute(
              "data-selected",
              `${text.getAttribute("data-selected") ?? ""}${isIn} `,
            );
          }),
        );
      });
      await press("Control+k");
      await type("tras");
      await go();
      const dialog = view.getByRole("dialog", { name: "Commands" });
      await dialog.getByRole("option", { name: "Trash" }).waitFor();
      assert.equal(await dialog.getByRole("combobox").inputValue(), "tras");
      await press("Escape");
      await dialog.waitFor({ state: "detached" });
      await view.locator(".cm-content:focus").waitFor();
      assert.equal(await view.locator(".cm-content").getAttribute("data-selected"), "true true ");
      await type("My ");
      await until(async () => (await lines())[0] === "My Words.");
    });

    it("do not change the text before the dialog of pictures", async () => {
      const { view, go, lines, type } = await holding("image-picker", "Words.");
      await view.getByRole("button", { name: "Picture", exact: true }).click();
      await type("noon");
      await go();
      await view.getByRole("dialog", { name: "Insert a picture" }).waitFor();
      assert.deepEqual(await lines(), ["Words."]);
    });

    it("do not change the text before the menu of writing", async () => {
      const { view, go, lines, type, press } = await holding("writing-menu", "Words.");
      await view.getByRole("button", { name: "Writing options" }).click();
      await type("noon");
      await go();
      await view.getByRole("menuitem", { name: /^Find/ }).waitFor();
      await press("Escape");
      assert.deepEqual(await lines(), ["Words."]);
    });

    it("choose in the slash menu, and go on in what was chosen", async () => {
      const { view, go, lines, type, press } = await holding("slash-menu", "\nWords.");
      await type("/heading 3");
      await press("Enter");
      await type("Title");
      await go();
      await until(async () => (await lines())[0]?.endsWith("Title") === true);
      await saved(view);
      await publish(view);
      assert.equal(await desk.file("02.blog/early-slash-menu/post.md"), page("### Title\nWords."));
    });

    it("move a block, and do nothing else", async () => {
      const { go, lines, press } = await holding("later", "One\n\nTwo");
      await press("Alt+ArrowDown");
      await go();
      await until(async () => (await lines()).join() === "Two,,One");
    });

    it("open the menu of a block, and do nothing else", async () => {
      const { view, go, lines, press } = await holding("later", "One\n\nTwo");
      await press("Control+/");
      await go();
      await view.getByRole("menu", { name: "Paragraph: actions" }).waitFor();
      assert.deepEqual(await lines(), ["One", "", "Two"]);
    });

    it("come behind what is pasted", async () => {
      const { view, go, lines, type } = await holding("paste", "Words.");
      await paste(view, "<b>Bold</b>");
      await type(" and ");
      await go();
      await until(async () => (await lines())[0]?.includes("Bold") === true);
      await saved(view);
      await publish(view);
      assert.equal(await desk.file("02.blog/early-paste/post.md"), page("**Bold** and Words."));
    });
  });
});
