import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { mkdir } from "node:fs/promises";
import { createRequire } from "node:module";
import { join } from "node:path";
import type { Browser, BrowserContextOptions, Page } from "playwright-core";
import { bootSite, type TestSite } from "../support/sites/boot-site.js";
import { viewsOf } from "../support/browsers/views.js";
import { useChromium } from "../support/services.js";

const axe = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");
/** A folder for screenshots to inspect; none are taken without it. */
const pictures = process.env["SITE_TEST_PICTURES"];
const many = Object.fromEntries(
  Array.from({ length: 25 }, (_, at) => [
    `content/fruit/pear-${at}.md`,
    `---\ntitle: Pear ${at}\ndate: 2026-01-01\n---\nA pear & an <b>apple</b> of the kind ${at}.`,
  ]),
);

describe("the built-in search page, for everybody", function () {
  this.timeout(240_000);
  let browser: Browser;
  let site: TestSite;
  before(async function () {
    browser = await useChromium(this);
    site = await bootSite({
      plugins: ["content", "markdown", "search", "pages", "security"],
      env: { SITE_ENV: "production" },
      settings: { system: { search: { page_size: 10 } } },
      files: {
        "content/01.home/default.md": "# Home\n\nAn orchard.",
        "content/02.apple/default.md": "# Apple\n\nAn apple a day.",
        ...many,
      },
    });
  });
  after(() => site.close());
  const open = async (path: string, options: BrowserContextOptions = {}): Promise<Page> => {
    const page = await (await browser.newContext(options)).newPage();
    await page.goto(site.url + path);
    return page;
  };
  const close = async (page: Page, name: string): Promise<void> => {
    if (pictures !== undefined) {
      await mkdir(pictures, { recursive: true });
      await page.screenshot({ path: join(pictures, `search-${name}.png`), fullPage: true });
    }
    await page.context().close();
  };
  const violations = async (page: Page): Promise<string[]> => {
    await page.evaluate(axe);
    return page.evaluate<string[]>(
      `axe.run().then(({ violations }) => violations.flatMap(({ id, nodes }) => nodes.map(({ html }) => id + ": " + html)))`,
    );
  };

  for (const { colorScheme: scheme, width } of viewsOf([320, 1280])) {
    for (const [kind, path] of [
      ["empty", "/search"],
      ["found", "/search?q=pear"],
      ["second", "/search?q=pear&offset=10&limit=10"],
      ["nothing", "/search?q=zebra"],
    ] as const) {
      const viewport = { width, height: 800 };
      it(`has no violation in axe: ${kind}, ${scheme}, ${width} px`, async () => {
        const page = await open(path, { colorScheme: scheme, viewport, bypassCSP: true });
        assert.deepEqual(await violations(page), []);
        const wide = await page.evaluate(() => document.documentElement.scrollWidth);
        assert.ok(wide <= viewport.width, `${wide} px wide`);
        await close(page, `${kind}-${scheme}-${viewport.width}`);
      });
    }
  }

  it("has no violation after results arrived while typing", async () => {
    const page = await open("/search", { bypassCSP: true });
    await page.locator("#q").fill("pear");
    await page.locator(".search-result mark").first().waitFor();
    assert.deepEqual(await violations(page), []);
    await page.locator("#q").fill("zebra");
    await page.locator("#search-empty").waitFor();
    assert.deepEqual(await violations(page), []);
    await close(page, "typed");
  });

  it("has no violation without JavaScript", async () => {
    const page = await open("/search?q=pear", { javaScriptEnabled: false });
    const html = await page.content();
    await close(page, "without-javascript");
    const checked = await (await browser.newContext({ bypassCSP: true })).newPage();
    await checked.setContent(html.replaceAll(/<script[^]*?<\/script>/gu, ""));
    assert.deepEqual(await violations(checked), []);
    await checked.context().close();
  });

  it("works with the keyboard only: words, results, next results, and back", async () => {
    for (const javaScriptEnabled of [true, false]) {
      const page = await open("/search", { javaScriptEnabled });
      const focused = (): Promise<string> =>
        page.locator(":focus").evaluate((element) => element.outerHTML.slice(0, 200));
      assert.match(await focused(), /id="q"/, "the words are asked for first");
      await page.keyboard.type("pear");
      await page.keyboard.press("Enter");
      await page.waitForURL(/q=pear/);
      await page.locator(".search-result").first().waitFor();
      const order: string[] = [];
      for (let at = 0; at < 20; at += 1) {
        await page.keyboard.press("Tab");
        const html = await focused().catch(() => "");
        order.push(
          /href="([^"]*)"|id="([^"]*)"|type="(submit)"/u.exec(html)?.slice(1).find(Boolean) ?? "",
        );
        if (/rel="next"/u.test(html)) break;
      }
      assert.equal(order.filter((href) => href.startsWith("/fruit/pear-")).length, 10);
      assert.match(order.at(-1) ?? "", /offset=10/);
      const outline = await page.locator(":focus").evaluate((element) => {
        const { outlineStyle, outlineWidth } = getComputedStyle(element);
        return `${outlineStyle} ${outlineWidth}`;
      });
      assert.equal(outline, "solid 3px", "where one is can be seen");
      await page.keyboard.press("Enter");
      await page.waitForURL(/offset=10/);
      assert.equal(await page.locator(".search-result").count(), 10);
      await close(page, `keyboard-${javaScriptEnabled ? "with" : "without"}-javascript`);
    }
  });

  it("announces the number of results to screen readers, also 0", async () => {
    const page = await open("/search");
    const status = page.locator("#search-status");
    assert.deepEqual(
      [await status.getAttribute("role"), await status.getAttribute("aria-live")],
      ["status", "polite"],
    );
    // A live region is announced when its text changes while it is present.
    const said = page.evaluate(
      () =>
        new Promise<string[]>((resolve) => {
          const texts: string[] = [];
          const region = document.querySelector("#search-status");
          if (region === null) return;
          new MutationObserver(() => {
            texts.push(region.textContent ?? "");
            if (texts.length === 2) resolve(texts);
          }).observe(region, { childList: true, characterData: true, subtree: true });
        }),
    );
    await page.locator("#q").fill("pear");
    await page.locator(".search-result").first().waitFor();
    await page.locator("#q").fill("zebra");
    assert.deepEqual(await said, ["25 results", "0 results"]);
    await close(page, "announced");
  });
});
