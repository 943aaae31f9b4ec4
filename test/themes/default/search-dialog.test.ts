import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { mkdir } from "node:fs/promises";
import { createRequire } from "node:module";
import { join } from "node:path";
import { brotliCompressSync } from "node:zlib";
import type { Browser, BrowserContextOptions, Page } from "playwright-core";
import { packageRoot } from "#lib/packages";
import { bootSite, type TestSite } from "../../support/sites/boot-site.js";
import { useChromium } from "../../support/services.js";
import { VIEWS } from "../../support/browsers/views.js";

const axe = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");
const pictures = process.env["SITE_TEST_PICTURES"];
const FILES = ["search-dialog.js", "search-options.js", "search-source.js", "search-dialog.css"];

describe("the search dialog", function () {
  this.timeout(180_000);
  let browser: Browser;
  let site: TestSite;
  before(async function () {
    browser = await useChromium(this);
    site = await bootSite({
      files: {
        "content/01.home/default.md": "---\ntitle: Home\n---\nAn orchard.\n",
        "content/02.apple/default.md":
          "---\ntitle: Apple\n---\nAn apple a day.\n\n## Keeping\n\nKeep the orchard cool.\n\n## Eating & more\n\nEat it.\n",
        "content/03.pear/default.md": "---\ntitle: Pear\n---\nThe fruit of the orchard.\n",
        "search/synonyms.yaml": "groups: [[apple, fruit]]\n",
      },
    });
  });
  after(() => site.close());

  const open = async (options: BrowserContextOptions = {}): Promise<Page> => {
    const page = await (await browser.newContext(options)).newPage();
    page.on("pageerror", (error) => assert.fail(error));
    await page.goto(`${site.url}/`);
    return page;
  };
  const type = async (page: Page, query: string): Promise<void> => {
    await page.locator(".search-dialog input").fill(query);
    await page.locator(".search-status:not(:empty)").waitFor();
  };
  const selected = (page: Page): Promise<string | null> =>
    page.locator('[role=option][aria-selected="true"]').getAttribute("href");

  it("takes at most 6 KB in brotli, with its styles", () => {
    const sizes = FILES.map(
      (name) =>
        brotliCompressSync(readFileSync(join(packageRoot(), "themes/default/static", name))).length,
    );
    const total = sizes.reduce((sum, size) => sum + size, 0);
    assert.ok(total <= 6 * 1024, `${total} bytes`);
  });

  for (const key of ["Control+k", "/"]) {
    it(`opens with ${key}, finds while typing, and opens a result with Enter`, async () => {
      const page = await open();
      await page.keyboard.press(key);
      await type(page, "apple");
      assert.equal(await page.locator(".search-dialog input").inputValue(), "apple");
      await page.keyboard.press("Enter");
      await page.waitForURL("**/apple");
      await page.context().close();
    });
  }

  it("walks results and sections by arrow keys, and leads to the heading", async () => {
    const page = await open();
    await page.keyboard.press("Control+k");
    await type(page, "keep orchard");
    const hrefs = await page
      .locator(".search-dialog [role=option]")
      .evaluateAll((all) => all.map((one) => one.getAttribute("href")));
    assert.ok(hrefs.includes("/apple#keeping"), hrefs.join(" "));
    await page.keyboard.press("ArrowDown");
    const active = await page.locator(".search-dialog input").getAttribute("aria-activedescendant");
    const id = await page.locator('[role=option][aria-selected="true"]').getAttribute("id");
    assert.equal(active, id);
    await page.locator('.search-dialog [href="/apple#keeping"]').click();
    await page.waitForURL("**/apple#keeping");
    await page.context().close();
  });

  it("shows similar hits as a group of their own, and the query without typos", async () => {
    const page = await open();
    await page.keyboard.press("Control+k");
    await type(page, "apple");
    const group = page.getByRole("group", { name: "Similar words" });
    assert.equal(await group.getByRole("option").first().getAttribute("href"), "/pear");
    await type(page, "orchrad");
    await page.getByText("Did you mean:").click();
    await page.locator('.search-dialog [href="/apple"]').waitFor();
    assert.equal(await page.locator(".search-dialog input").inputValue(), "orchard");
    await page.context().close();
  });

  it("remembers recent searches, announces the count, and closes with Escape", async () => {
    const page = await open();
    await page.keyboard.press("Control+k");
    await type(page, "pear");
    assert.match(await page.locator(".search-status").innerText(), /^1 result/);
    assert.equal(await selected(page), "/pear");
    await page.keyboard.press("Enter");
    await page.waitForURL("**/pear");
    await page.keyboard.press("Control+k");
    const recent = page.getByRole("group", { name: "Recent searches" });
    assert.equal(await recent.getByRole("option").innerText(), "pear");
    await page.keyboard.press("Escape");
    await page.locator(".search-dialog:not([open])").waitFor({ state: "attached" });
    await page.context().close();
  });

  it("leaves the search field as it is without JavaScript", async () => {
    const page = await open({ javaScriptEnabled: false });
    await page.locator(".search-wide input").fill("pear");
    await page.keyboard.press("Enter");
    await page.waitForURL("**/search?q=pear");
    await page.context().close();
  });

  for (const { colorScheme, width } of VIEWS) {
    it(`has no violation in axe: ${colorScheme}, ${width} px`, async () => {
      const page = await open({
        colorScheme,
        bypassCSP: true,
        viewport: { width, height: 800 },
      });
      await page.keyboard.press("Control+k");
      await type(page, "apple orchrad");
      await page.evaluate(axe);
      const found = await page.evaluate<string[]>(
        `axe.run().then(({ violations }) => violations.flatMap(({ id, nodes }) => nodes.map(({ html }) => id + ": " + html)))`,
      );
      assert.deepEqual(found, []);
      if (pictures !== undefined) {
        await mkdir(pictures, { recursive: true });
        await page.screenshot({ path: join(pictures, `dialog-${colorScheme}-${width}.png`) });
      }
      await page.context().close();
    });
  }
});
