import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import type { Browser, Page } from "playwright-core";
import { parse } from "yaml";
import type { AdminSite } from "../../support/sites/admin-site.js";
import {
  assertAccessible,
  bootPanel,
  openPanel,
  panelPlugins,
  type PanelPage,
} from "../../support/browsers/panel-browser.js";
import { VIEWS } from "../../support/browsers/views.js";
import { useChromium } from "../../support/services.js";
import { until } from "../../support/until.js";

const siteYaml =
  "title:   Harbour   # spaces stay\nurl: http://localhost\nredirects:\n    # the old blog\n    /old: /blog\n    /lost: /nowhere\nplugins:\n    shop:\n        src: ./plugins/shop.ts\n        config: { items: 5 }   # few\n";
const synonyms = "groups:\n  - [ship,  boat] # both\n";
const shop = `import { z } from "zod";
import { definePlugin } from "sitewright";
import { VIEWS } from "../../support/browsers/views.js";
export default definePlugin({
  name: "shop",
  version: "1.2.0",
  config: z.strictObject({
    items: z.int().max(50).describe("Things in a basket").default(10),
    key: z.string().meta({ secret: true }).default(""),
  }),
  setup() {},
});
`;

/** Screens, with what they show when they are loaded. */
const SCREENS: readonly { path: string; name: string; show(page: Page): Promise<void> }[] = [
  {
    path: "/redirects",
    name: "redirects",
    async show(page) {
      await page.getByText("no page at").waitFor();
      await page.getByLabel("Address", { exact: true }).fill("/old");
      await page.keyboard.press("Enter");
      await page.getByText("/blog shows the page 02.blog/blog.md").waitFor();
    },
  },
  {
    path: "/redirects",
    name: "redirect-form",
    async show(page) {
      await page.getByRole("button", { name: "Add a redirect" }).click();
      await page.getByRole("dialog").waitFor();
    },
  },
  {
    path: "/searches",
    name: "searches",
    show: (page) => page.getByRole("link", { name: "Add a synonym for zeppelin" }).waitFor(),
  },
  {
    path: "/searches/explain?q=first",
    name: "searches-explain",
    show: (page) => page.getByText("first in title, once: +3").waitFor(),
  },
  {
    path: "/searches/synonyms?word=dinghy",
    name: "searches-synonyms",
    async show(page) {
      await page.getByLabel("Words that mean the same").waitFor();
      await page.getByRole("button", { name: /frist.*first/ }).waitFor();
    },
  },
  {
    path: "/settings/plugins?plugin=shop",
    name: "settings-plugin",
    show: (page) => page.getByLabel("Items", { exact: true }).waitFor(),
  },
  {
    path: "/settings/plugins?plugin=search",
    name: "settings-search",
    show: (page) => page.getByLabel("Length of excerpts").waitFor(),
  },
  {
    path: "/themes",
    name: "themes",
    async show(page) {
      await page.getByText("Active", { exact: true }).waitFor();
      await page.frameLocator("iframe").getByRole("heading", { name: "Home" }).waitFor();
    },
  },
];

const coastYaml = `parent: default
colors: ["#004466", "#ffffff"]
config_schema:
  size: { type: number, validate: { min: 1, max: 9 }, required: true }
  code: { type: text, validate: { pattern: "[a-z]+" }, when: { size: [1, 2], footer: dark } }
`;

const coastTemplate = `export default ({ page, asset }) => (
  <html lang="en">
    <head>
      <title>{page.title}</title>
      <link rel="stylesheet" href={asset("coast.css")} />
    </head>
    <body>
      <p class="coast">Drawn by coast: {page.title}</p>
    </body>
  </html>
);
`;

describe("the panel's screens of the site", function () {
  let browser: Browser;
  let site: AdminSite;
  let opened: PanelPage[] = [];
  before(async function () {
    browser = await useChromium(this);
    const files = {
      "site.yaml": siteYaml,
      "plugins/shop.ts": shop,
      "search/synonyms.yaml": synonyms,
      "themes/coast/theme.yaml": coastYaml,
      "themes/coast/templates/default.tsx": coastTemplate,
      "themes/coast/templates/post.tsx": coastTemplate,
      "themes/coast/static/coast.css": ".coast { color: rgb(0, 68, 102); }\n",
      "themes/broken/theme.yaml": "colors: 1\n",
    };
    site = await bootPanel({ files, plugins: [...panelPlugins, "shop"] });
    await site.fetch("/api/search?q=first");
    await site.fetch("/api/search?q=zeppelin");
    await site.fetch("/api/search?q=frist");
  });
  beforeEach(async () => {
    await site.write("site.yaml", siteYaml);
    await site.write("search/synonyms.yaml", synonyms);
  });
  afterEach(async () => {
    for (const one of opened) await one.close();
    opened = [];
  });
  after(() => site?.close());
  const onDisk = (file = "site.yaml") => readFile(join(site.root, file), "utf8");
  async function open(path: string, options = {}): Promise<Page> {
    const username = `user-${opened.length}-${Math.round(performance.now())}`;
    const shown = await openPanel(browser, site, { path, username, ...options });
    opened.push(shown);
    return shown.page;
  }

  it("adds, changes and removes a redirect by keyboard, and shows the server's message of a loop", async () => {
    const page = await open("/redirects", { viewport: { width: 390, height: 844 } });
    await page.getByRole("button", { name: "Add a redirect" }).focus();
    await page.keyboard.press("Enter");
    const dialog = page.getByRole("dialog");
    await dialog.waitFor();
    await page.keyboard.type("/blog");
    await page.keyboard.press("Tab");
    await page.keyboard.type("/old");
    await page.keyboard.press("Enter");
    await dialog.getByRole("alert").getByText("lead back").waitFor();
    await dialog.getByLabel("Old address").fill("/old/");
    await dialog.getByLabel("New address").fill("/blog");
    await page.keyboard.press("Enter");
    await dialog.getByText('"/old" already redirects to "/blog"').waitFor();
    await dialog.getByLabel("Old address").fill("/start");
    await page.keyboard.press("Enter");
    await page.getByText("The redirect was added.").waitFor();
    assert.equal((await site.fetch("/start")).headers.get("location"), "/blog");

    await page.getByRole("button", { name: "Change the redirect from /start" }).focus();
    await page.keyboard.press("Enter");
    await dialog.getByLabel("New address").fill("/blog/first");
    await page.keyboard.press("Enter");
    await page.getByText("The redirect was changed.").waitFor();
    assert.equal((await site.fetch("/start")).headers.get("location"), "/blog/first");

    await page.getByRole("button", { name: "Remove the redirect from /start?" }).click();
    await dialog.getByRole("button", { name: "Remove" }).click();
    await page.getByText("The redirect was removed.").waitFor();
    assert.equal(await onDisk(), siteYaml);
  });

  it("saves a suggested synonym, which then finds something", async () => {
    const page = await open("/searches/synonyms");
    await page.getByRole("button", { name: /frist.*first/ }).click();
    await page.getByRole("button", { name: /frist.*first/ }).waitFor({ state: "detached" });
    assert.match(await onDisk("search/synonyms.yaml"), /frist/);
    const found = await site.fetch("/api/search?q=frist&similar=1");
    assert.match(await found.text(), /blog\/first/);
  });

  it("leads from a search without result to a synonym that finds something", async () => {
    const page = await open("/searches");
    await page.getByRole("link", { name: "Add a synonym for zeppelin" }).click();
    const groups = page.getByLabel("Words that mean the same");
    assert.equal(await groups.inputValue(), "ship, boat\nzeppelin, ");
    await groups.press("Control+End");
    await page.keyboard.type("first");
    await page.getByRole("button", { name: "Save" }).click();
    await page.getByText("The synonyms were saved.").waitFor();
    assert.equal(await onDisk("search/synonyms.yaml"), `${synonyms}  - [zeppelin, first]\n`);
    await page.getByRole("link", { name: "Explain" }).click();
    await page.getByLabel("Words", { exact: true }).fill("zeppelin");
    await page.keyboard.press("Enter");
    await page.getByText("Found by a synonym.").first().waitFor();
  });

  it("shows the problem of a plugin's setting beside the field, and keeps the file otherwise", async () => {
    const page = await open("/settings/plugins");
    await page.getByRole("combobox", { name: /^Plugin/ }).selectOption("shop");
    const items = page.getByLabel("Items", { exact: true });
    await items.fill("99");
    await page.getByText("Takes effect after a restart").waitFor();
    await page.getByRole("button", { name: "Save one change" }).click();
    await page.getByText("Nothing was saved: some values are wrong.").waitFor();
    await page.getByText("received 99.").waitFor();
    const hint = await items.getAttribute("aria-describedby");
    assert.match(await page.locator(`[id="${hint}"]`).innerText(), /^Expected .*50/);
    assert.equal(await onDisk(), siteYaml);
    await items.fill("7");
    await page.getByRole("button", { name: "Save one change" }).click();
    await page.getByText("The changes take effect after a restart").waitFor();
    assert.equal(await onDisk(), siteYaml.replace("items: 5", "items: 7"));
  });

  it("previews settings of the theme before they are saved, and chooses a theme", async () => {
    const page = await open("/themes");
    const shown = page.frameLocator("iframe");
    await shown.getByRole("heading", { name: "Home" }).waitFor();
    await page.getByLabel("Text in the footer of each page").fill("By the sea");
    await shown.getByText("By the sea").waitFor();
    assert.doesNotMatch(await (await site.fetch("/")).text(), /By the sea/);
    await page.getByLabel("What the site is for").selectOption("docs");
    await page.getByRole("combobox", { name: /^Look/ }).selectOption("book");
    await until(async () => (await shown.locator("link[href*='looks/book.css']").count()) === 1);
    await page.getByRole("button", { name: "Save" }).click();
    await page.getByText("The theme was saved.").waitFor();
    const saved = `${siteYaml}theme:\n    preset: docs\n    look: book\n    custom:\n        footer: By the sea\n`;
    assert.equal(await onDisk(), saved);
    await page.getByRole("button", { name: "Use this theme: coast" }).click();
    await shown.getByText("Drawn by coast: Home").waitFor();
    const color = "getComputedStyle(document.querySelector('.coast')).color";
    const frame = page.frames().at(-1) ?? assert.fail();
    await until(async () => (await frame.evaluate<string>(color)) === "rgb(0, 68, 102)");
    await page.getByText("Page: Home", { exact: true }).click();
    await page.getByLabel("Search for a page").fill("firs");
    await page.getByRole("radio", { name: "First" }).check();
    await shown.getByText("Drawn by coast: First").waitFor();
    await page.getByText("Page: First", { exact: true }).waitFor();
    await assertAccessible(page, "themes-page");
    await page.getByLabel("Search for a page").fill("");
    await page.getByRole("radio", { name: "Home" }).check();
    await shown.getByText("Drawn by coast: Home").waitFor();
    assert.doesNotMatch(await (await site.fetch("/")).text(), /coast/);
    await page.getByRole("button", { name: "Save" }).click();
    await until(async () => (await onDisk()).includes("  name: coast\n"));
    await page.getByText("Chosen", { exact: true }).waitFor();
    const events = (await site.audit()).map(({ event }) => event);
    assert.equal(events.at(-1), "config.update");
  });

  it("has no scripts in previews, and so no messages about them", async () => {
    const page = await open("/themes");
    const messages: string[] = [];
    page.on("console", (message) => messages.push(message.text()));
    const shown = page.frameLocator("iframe");
    await page.getByLabel("Text in the footer of each page").fill("By the sea");
    await shown.getByText("By the sea").waitFor();
    await page.goto("/admin/edit/02.blog/01.first/post.md");
    await page.getByRole("button", { name: "Preview" }).click();
    await shown.getByText("First body.").waitFor();
    await page.locator(".cm-content").click();
    await page.keyboard.type("More. ");
    await shown.getByText("More.").waitFor();
    assert.equal(await shown.locator("script").count(), 0);
    assert.deepEqual(messages, []);
  });

  it("edits lists of the theme's settings as rows with fields", async () => {
    const page = await open("/themes");
    const list = page.getByRole("group", { name: "Ways to follow the site, below articles" });
    await list.getByRole("button", { name: "Add" }).click();
    await list.getByLabel("Text", { exact: true }).fill("Letter");
    await list.getByLabel("Address", { exact: true }).fill("/letter");
    await page.getByRole("button", { name: "Save" }).click();
    await page.getByText("The theme was saved.").waitFor();
    const { theme } = parse(await onDisk());
    assert.deepEqual(theme.custom, { subscribe: [{ label: "Letter", url: "/letter" }] });
  });

  it("gets bounds, patterns and conditions of a theme's settings from the server", async () => {
    const admin = await site.as("admin");
    const { items } = await admin.json(200, "GET", "/admin/api/themes");
    const { fields } = items.find(({ name }: { name: string }) => name === "coast");
    const of = (name: string) => fields.find((field: { name: string }) => field.name === name);
    const [size, code] = [of("size"), of("code")];
    assert.deepEqual([size.min, size.max, size.required, size.when], [1, 9, true, null]);
    assert.deepEqual(
      [code.pattern, code.required, code.when],
      ["[a-z]+", false, { size: [1, 2], footer: ["dark"] }],
    );
    assert.equal(of("footer").type, "text", "settings of its parents");
  });

  it("offers roles without the right to change settings only what they may read", async () => {
    const page = await open("/searches/synonyms", { role: "editor" });
    await page.getByLabel("Stop words").waitFor();
    assert.equal(await page.getByRole("button", { name: "Save" }).count(), 0);
  });

  it("opens a screen from the command palette, in German and from right to left", async () => {
    const page = await open("", { locale: "de-DE" });
    await page.locator("h1").waitFor();
    await page.keyboard.press("Control+k");
    const search = "Seiten, Datensätze, Dateien, Personen, Einstellungen und Befehle suchen";
    await page.getByRole("combobox", { name: search }).waitFor();
    await page.keyboard.type("weiterl");
    await page.keyboard.press("Enter");
    await page.getByRole("heading", { level: 1, name: "Weiterleitungen" }).waitFor();
    for (const { path } of SCREENS) {
      await page.goto(`/admin${path}`);
      await page.locator("h1").waitFor();
      await page.evaluate('document.documentElement.dir = "rtl"');
      const overflow = await page.evaluate("document.documentElement.scrollWidth > innerWidth");
      assert.equal(overflow, false, path);
    }
  });

  for (const { colorScheme, width } of VIEWS) {
    it(`has no accessibility violations: ${colorScheme}, ${width} pixels`, async () => {
      const viewport = { width, height: 900 };
      const page = await open("", { colorScheme, viewport, bypassCSP: true });
      for (const { path, name, show } of SCREENS) {
        await page.goto(`/admin${path}`);
        await show(page);
        await assertAccessible(page, `${name}-${colorScheme}-${width}`);
      }
    });
  }
});
