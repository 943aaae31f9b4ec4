import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { Browser } from "playwright-core";
import sharp from "sharp";
import { createEnv, createSite, silentLog, type Site } from "#kernel";
import { firstParty } from "../../plugins/main.js";
import type { AdminSite } from "../support/sites/admin-site.js";
import { scaffoldSite, type NewSiteOptions } from "../../plugins/render/new-site.js";
import { useFolder } from "../support/folder.js";
import { withPage } from "../support/browsers/with-page.js";
import { bootSite } from "../support/sites/boot-site.js";
import { bootPanel } from "../support/browsers/panel-browser.js";
import { EditorDesk } from "../support/browsers/panel-editor.js";
import { repository } from "../support/repository.js";
import { useChromium } from "../support/services.js";
import { until } from "../support/until.js";

const TEXT = `---
title: Out by evening
date: 2026-09-12
---
The wind turned at six, and the harbour was **quiet** at last.

![A sailing boat at sunset](evening.jpg)

- Tide at 19:40
- Back before ten
`;
const PHOTO = join(repository, "content/04.build/01.themes/item-example/evening.jpg");
const SCHEMES = { light: "editor.png", dark: "editor-dark.png" } as const;
const IS_LOADED_OR_BELOW =
  "[...document.images].every((one) => one.getBoundingClientRect().top > innerHeight || (one.complete && one.naturalWidth > 0))";
const IS_LOADED =
  "[...document.images].every(({ complete, naturalWidth }) => complete && naturalWidth > 0)";

describe("the editor on the home page", () => {
  let browser: Browser;
  let site: AdminSite;
  let desk: EditorDesk;
  before(async function () {
    browser = await useChromium(this);
    site = await bootPanel({
      files: {
        "site.yaml": "title: Harbour notes\ntheme:\n  preset: blog\n",
        "content/02.blog/evening/evening.jpg": readFileSync(PHOTO),
      },
    });
    desk = new EditorDesk(browser, () => site);
  });
  afterEach(() => desk.clear());
  after(() => site.close());

  for (const scheme of ["light", "dark"] as const) {
    // With PICTURES set, the pictures of the home page are taken again.
    it(`shows a text beside its page, in ${scheme} colours`, async () => {
      const path = await desk.seed("evening", TEXT);
      const viewport = { width: 1380, height: 800 };
      const page = await desk.open(path, { colorScheme: scheme, viewport, deviceScaleFactor: 2 });
      await page.getByRole("button", { name: "Preview", exact: true }).click();
      const frame = page.frameLocator("iframe[name=panel-preview]");
      await frame.getByText("the harbour was").waitFor();
      await frame.getByAltText("A sailing boat at sunset").scrollIntoViewIfNeeded();
      const theme = page.frame({ name: "panel-preview" }) ?? assert.fail("no preview");
      // The frame runs no scripts of its own, so nothing in it can wait.
      await until(() => theme.evaluate<boolean>(IS_LOADED));
      if (!process.env["PICTURES"]) return;
      await page.evaluate("scrollTo(0, 0)");
      const { x, y } = (await page.locator("#main").boundingBox()) ?? { x: 0, y: 0 };
      const clip = { x, y, width: viewport.width - x, height: viewport.height - y };
      await sharp(await page.screenshot({ clip }))
        .resize(1600)
        .png({ palette: true, colours: 128 })
        .toFile(join(repository, "content/01.home", SCHEMES[scheme]));
    });
  }
});

describe("the home page in the README", () => {
  const viewport = { width: 1200, height: 1180 };
  let browser: Browser;
  let site: Site;
  let url: string;
  before(async function () {
    browser = await useChromium(this);
    const env = createEnv({ SITE_ENV: "production" });
    site = await createSite(repository, { firstParty, env, log: silentLog });
    url = `http://127.0.0.1:${await site.listen(0)}`;
    await site.ready;
  });
  after(() => site?.close());

  // With PICTURES set, the picture in the README is taken again.
  it("shows the title, the command and the editor without scrolling far", async () => {
    const page = await browser.newPage({ viewport, colorScheme: "light" });
    await page.goto(url, { waitUntil: "load" });
    const image = page.locator("main img[src*=editor]").filter({ visible: true }).first();
    await image.scrollIntoViewIfNeeded();
    await until(() => image.evaluate((one) => "naturalWidth" in one && one.naturalWidth !== 0));
    await page.evaluate("scrollTo(0, 0)");
    for (const seen of [page.locator("h1"), page.locator("main pre").first(), image]) {
      const box = (await seen.boundingBox()) ?? assert.fail("not drawn");
      assert.ok(box.y < viewport.height, `${box.y}`);
    }
    if (process.env["PICTURES"]) {
      await sharp(await page.screenshot())
        .png({ palette: true, colours: 128 })
        .toFile(join(repository, "content/01.home/screenshot.png"));
    }
    await page.close();
  });
});

describe("the pictures of looks and presets in the documentation", function () {
  this.timeout(120_000);
  const folder = useFolder();
  let browser: Browser;
  before(async function () {
    browser = await useChromium(this);
  });

  /** A page of a new site in both colour schemes side by side; with PICTURES set, the picture is taken again. */
  const show = async (options: NewSiteOptions, shown: { path: string; file: string }) => {
    await scaffoldSite(folder.path, new Date("2026-05-04T10:00:00Z"), options);
    const site = await bootSite({ root: folder.path, env: { SITE_ENV: "production" } });
    const viewport = { width: 800, height: 900 };
    const pictures: Buffer[] = [];
    try {
      for (const colorScheme of ["light", "dark"] as const) {
        await withPage(browser, { viewport, colorScheme }, async (page) => {
          await page.goto(site.url + shown.path, { waitUntil: "load" });
          await until(() => page.evaluate<boolean>(IS_LOADED_OR_BELOW));
          pictures.push(await page.screenshot());
        });
      }
    } finally {
      await site.close();
    }
    const file = join(repository, shown.file);
    if (process.env["PICTURES"]) {
      const background = "#888888";
      await sharp({ create: { ...viewport, width: 1600, channels: 3, background } })
        .composite(pictures.map((input, at) => ({ input, left: at * viewport.width, top: 0 })))
        .png({ palette: true, colours: 96, dither: 0 })
        .toFile(file);
    }
    const { width, height } = await sharp(file).metadata();
    assert.deepEqual([width, height], [1600, 900], shown.file);
  };

  for (const look of ["paper", "slate", "book", "poster"])
    it(`show the look ${look}`, () =>
      show(
        { preset: "blog", title: "Harbour notes", look },
        { path: "/blog/hello-world", file: `content/04.build/01.themes/look-${look}.png` },
      ));

  it("show a portfolio", () =>
    show(
      { preset: "portfolio", title: "Harbour & Mole" },
      { path: "/", file: "content/04.build/02.presets/portfolio.png" },
    ));
});
