import assert from "node:assert/strict";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { Browser } from "playwright-core";
import { definePlugin, type Plugin } from "#kernel";
import type { AdminSite } from "../../support/sites/admin-site.js";
import {
  assertAccessible,
  bootPanel,
  openPanel,
  type PanelPage,
  type PanelPageOptions,
} from "../../support/browsers/panel-browser.js";
import { useFolder } from "../../support/folder.js";
import { textOf } from "../../support/repository.js";
import { useChromium } from "../../support/services.js";
import { until } from "../../support/until.js";

const blueprint =
  "label: Post\nfields:\n  rating: { type: number, label: Rating }\n  pair: { type: even, label: Pair }\n";
const post = "---\ntitle: First\nrating: 2\n---\nText.\n";
const files = {
  "blueprints/post.yaml": blueprint,
  "content/02.blog/01.first/post.md": post,
};

/** Adds a kind of fields that the panel has no control for: it names one. */
const even = definePlugin({
  name: "even",
  version: "1.0.0",
  requires: ["content"],
  setup: (site) =>
    site.use("content").addFieldKind("even", {
      control: "number",
      check: (value) =>
        Number(value) % 2 === 0 ? null : { issue: "format", rest: "must be even." },
      jsonSchema: () => ({ type: "integer", multipleOf: 2 }),
    }),
});

function extending(name: string, file: string): Plugin {
  return definePlugin({
    name,
    version: "1.0.0",
    after: ["panel"],
    setup: (site) => site.extensions.add("panelExtensions", { file }),
  });
}

describe("extensions of the panel", () => {
  let browser: Browser;
  let site: AdminSite;
  const folder = useFolder();
  let opened: PanelPage | null = null;
  before(async function () {
    browser = await useChromium(this);
  });
  afterEach(async () => {
    await opened?.close();
    opened = null;
    await site.close();
  });

  /** The example of the documentation. */
  function example(): string {
    const docs = textOf("content/06.extend/08.panel/docs.md");
    return /```js title="panel\.js"\n([\s\S]*?)```/.exec(docs)?.[1] ?? "";
  }
  async function boot(parts: Readonly<Record<string, string>>): Promise<void> {
    const plugins = Object.entries(parts).map(async ([name, text]) => {
      const file = join(folder.path, `${name}.js`);
      await writeFile(file, text);
      return extending(name, file);
    });
    site = await bootPanel({ files, extraPlugins: [even, ...(await Promise.all(plugins))] });
  }
  async function open(options: PanelPageOptions = {}): Promise<PanelPage["page"]> {
    opened = await openPanel(browser, site, options);
    return opened.page;
  }

  it("add a card, a screen and a field editor, as the documentation shows", async () => {
    await boot({ stars: example() });
    const page = await open({ bypassCSP: true });
    await page.getByRole("region", { name: "Drafts" }).getByText("Drafts: 1").waitFor();
    await page.getByRole("navigation").getByRole("link", { name: "Stars" }).click();
    await page.getByRole("heading", { level: 1, name: "Stars" }).waitFor();
    assert.match(page.url(), /\/admin\/plugins\/stars$/);
    await page.getByRole("button", { name: "Greet" }).press("Enter");
    await page.getByText("Hello!").waitFor();
    await assertAccessible(page, "extension-screen");
    await page.reload();
    await page.getByRole("heading", { level: 1, name: "Stars" }).waitFor();

    await page.goto("/admin/edit/02.blog/01.first/post.md");
    await page.getByRole("button", { name: "4 of 5" }).click();
    const admin = await site.as("admin", { username: "reader" });
    await until(async () => {
      const draft = await admin.send("GET", "/admin/api/drafts/02.blog/01.first/post.md");
      return draft.status === 200 && /rating: 4/.test(await draft.text());
    });
  });

  it("run under the panel's policy, without warnings", async () => {
    await boot({ stars: example() });
    const page = await open({ path: "/plugins/stars" });
    await page.getByRole("button", { name: "Greet" }).waitFor();
    assert.deepEqual(opened?.messages, []);
  });

  it("that throw leave the panel usable; the failure names plugin and file", async () => {
    await boot({
      broken: "throw new Error('no moon today')",
      card: `export default () => ({ cards: [{ title: "Moon", view: () => { throw new Error("card fell") } }],
        fields: { number: () => { throw new Error("field fell") } } })`,
      empty: "export const nothing = 1",
      late: `export default ({ h }) => ({ screens: [{ label: "Late",
        view: () => h("button", { onClick: () => { throw new Error("click fell") } }, "Fall") }] })`,
      stars: example().replace("fields: { number: Stars },", ""),
    });
    const page = await open();
    await page.getByText("broken.js: no moon today").waitFor();
    await page.getByText(/empty.*empty\.js.*default export/).waitFor();
    await page.getByText("card.js: card fell").first().waitFor();
    await page.getByRole("region", { name: "Drafts" }).getByText("Drafts: 1").waitFor();
    await page.getByRole("navigation").getByRole("link", { name: "Late" }).click();
    await page.getByRole("button", { name: "Fall" }).click();
    await page.getByText("late.js: click fell").waitFor();
    await page.goto("/admin/edit/02.blog/01.first/post.md");
    await page.getByText("card.js: field fell").first().waitFor();
    await page.getByRole("spinbutton", { name: "Rating" }).fill("5");
    await page.getByRole("spinbutton", { name: "Pair" }).fill("4");
    assert.ok(opened?.messages.some((text) => text.includes("plugin card, file card.js")));
  });

  it("add blocks to the slash menu; one that throws is reported, and the text stays", async () => {
    await boot({
      blocks: `export default () => ({ blocks: [
        { label: "Price list", hint: "Prices of this season", synonyms: "cost", insert: "::: note $0\\n:::" },
        { label: "Broken", insert: () => { throw new Error("block fell") } } ] })`,
    });
    const page = await open({ path: "/edit/02.blog/01.first/post.md" });
    const text = page.getByRole("textbox", { name: "Text of the page" });
    await text.click();
    await page.keyboard.press("Control+End");
    await page.keyboard.type("\n/cost");
    await page.locator(".slash-menu").getByText("Prices of this season").waitFor();
    await page.keyboard.press("Enter");
    await page.keyboard.type("Boats");
    await text.getByText("::: note Boats").waitFor();
    await page.keyboard.press("Control+End");
    await page.keyboard.type("\n/brok");
    await page.getByRole("option", { name: "Broken" }).waitFor();
    await page.keyboard.press("Enter");
    await page.keyboard.type("after");
    await text.getByText("after").waitFor();
    assert.ok(opened?.messages.some((message) => message.includes("block fell")));
  });

  it("with a missing file stop the startup, naming plugin and file", async () => {
    const plugin = extending("gone", join(folder.path, "gone.js"));
    site = await bootPanel();
    await assert.rejects(bootPanel({ extraPlugins: [plugin] }), (error: Error) => {
      const text = `${error.message} ${String(error.cause)}`;
      return /"gone"/.test(text) && /gone\.js/.test(text);
    });
  });
});
