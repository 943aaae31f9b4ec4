import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import type { Browser, BrowserContextOptions, Page } from "playwright-core";
import { killProcess } from "../support/processes/site-process.js";
import { useChromium } from "../support/services.js";
import { serveSite, writeSite } from "./home.js";

const axe = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");
const LARGE = { width: 1280, height: 900 };
const SMALL = { width: 390, height: 844 };

/** Three parts of four groups with forty pages, and a folder with 400. */
function treeFiles(): Record<string, string> {
  const files: Record<string, string> = {
    "site.yaml": "title: Harbour\ntheme: { preset: docs }\n",
    "content/index.md": "# Home\n",
  };
  for (let part = 0; part < 3; part += 1) {
    files[`content/part-${part}/index.md`] = `---\ntitle: Part ${part}\n---\nText.\n`;
    for (let at = 0; at < 160; at += 1) {
      const group = Math.floor(at / 40);
      files[`content/part-${part}/group-${group}/page-${at % 40}.md`] =
        `# Page ${at} of part ${part}\n`;
    }
  }
  for (let at = 0; at < 400; at += 1) {
    files[`content/calls/call-${String(at).padStart(3, "0")}.md`] = `# Call ${at}\n`;
  }
  // Articles with short and long titles, for the archive.
  for (const [at, title] of [
    "Tea",
    "A long title that does not fit beside its date on a phone",
  ].entries()) {
    files[`content/news/n-${at}.md`] =
      `---\ntitle: ${title}\ndate: 2026-0${at + 1}-01\n---\nText.\n`;
  }
  return files;
}

describe("the sidebar of a large tree in a browser", function () {
  this.timeout(120_000);
  let browser: Browser;
  let server: Awaited<ReturnType<typeof serveSite>>;
  let url: string;
  let page: Page;
  before(async function () {
    browser = await useChromium(this);
    server = await serveSite(await writeSite("large-tree", treeFiles()));
    url = `http://localhost:${new URL(server.url).port}`;
  });
  after(() => killProcess(server));
  const open = async (path: string, options: BrowserContextOptions = {}): Promise<void> => {
    const context = await browser.newContext({ baseURL: url, viewport: LARGE, ...options });
    context.setDefaultTimeout(30_000);
    page = await context.newPage();
    await page.goto(path);
  };
  afterEach(() => page.context().close());

  const nav = () => page.locator(".docs-nav");
  const group = (title: string) => nav().locator("summary", { hasText: new RegExp(`^${title}$`) });
  const look = async (name: string): Promise<void> => {
    const shots = process.env["SHOTS"];
    if (shots) await page.screenshot({ path: `${shots}/${name}.png` });
    if (!(await page.evaluate<boolean>("'axe' in window"))) await page.evaluate(axe);
    const found = await page.evaluate<string[]>(
      "axe.run({ resultTypes: ['violations'] }).then(({ violations }) => violations.map(({ id, nodes }) => id + ' ' + nodes[0].html.slice(0, 200)))",
    );
    assert.deepEqual(found, [], name);
    assert.equal(
      await page.evaluate("document.documentElement.scrollWidth > innerWidth"),
      false,
      `${name} scrolls sideways`,
    );
  };

  it("opens a closed group by keyboard: it loads once, keeps the focus and says that it is open", async () => {
    await open("/part-0/group-0/page-1");
    const requests: string[] = [];
    page.on("request", (request) => requests.push(request.url()));
    const part = group("Part 1");
    assert.equal(await part.getAttribute("aria-expanded"), "false");
    await part.focus();
    await page.keyboard.press("Enter");
    await nav().getByText("group-2", { exact: true }).nth(1).waitFor();
    assert.equal(await part.getAttribute("aria-expanded"), "true");
    assert.equal(await part.evaluate((element) => element === document.activeElement), true);
    assert.equal(await nav().locator("[aria-busy]").count(), 0);
    await page.keyboard.press("Tab");
    assert.equal(await page.evaluate("document.activeElement.textContent"), "Overview");
    await page.keyboard.press("Tab");
    await page.keyboard.press("Space");
    await nav().getByRole("link", { name: "Page 5 of part 1", exact: true }).waitFor();
    await part.press("Enter");
    await part.press("Enter");
    assert.equal(requests.length, 2, requests.join(" "));
  });

  it("has the markup of the page below in a group that was loaded", async () => {
    await open("/part-0");
    await group("Part 1").click();
    const loaded = nav().locator("li", { has: page.locator("summary", { hasText: "Part 1" }) });
    await loaded.getByText("group-0", { exact: true }).click();
    await loaded.getByRole("link", { name: "Page 5 of part 1", exact: true }).waitFor();
    const markup = (): Promise<string> =>
      page.evaluate(() => {
        const link = document.querySelector('.docs-nav a[href="/part-1/group-0/page-5"]');
        return link?.closest("ul")?.outerHTML.replace(' aria-current="page"', "") ?? "";
      });
    const first = await markup();
    await page.goto("/part-1/group-0/page-5");
    assert.equal(await markup(), first);
  });

  it("says that a group could not be loaded, and loads it again", async () => {
    await open("/part-0");
    let isFailing = true;
    await page.route("**/_site/sidebar/**", (route) =>
      isFailing ? route.fulfill({ status: 503, body: "" }) : route.continue(),
    );
    await group("Part 2").click();
    const alert = nav().getByRole("alert");
    await alert.waitFor();
    await look("sidebar-failed");
    isFailing = false;
    await alert.getByRole("button").click();
    await nav().getByText("group-3", { exact: true }).nth(1).waitFor();
    assert.equal(await alert.count(), 0);
    assert.equal(await page.evaluate("document.activeElement.textContent"), "Part 2");
  });

  it("is busy while it loads", async () => {
    await open("/part-0");
    let go = (): void => undefined;
    const held = new Promise<void>((resolve) => void (go = resolve));
    await page.route("**/_site/sidebar/**", async (route) => {
      await held;
      await route.continue();
    });
    await group("Part 2").click();
    await nav().locator('details[aria-busy="true"]').waitFor();
    await look("sidebar-busy");
    go();
    await nav().getByText("group-3", { exact: true }).nth(1).waitFor();
    assert.equal(await nav().locator("[aria-busy]").count(), 0);
  });

  it("loads the rest of a long list on both sides, in order", async () => {
    await open("/calls/call-200");
    const calls = (): Promise<string[]> =>
      nav()
        .locator('a[href^="/calls/"]')
        .evaluateAll((links) => links.map((link) => link.textContent ?? ""));
    const more = nav().locator(".docs-nav-more");
    for (let count = await more.count(); count > 0; count = await more.count()) {
      const before = (await calls()).length;
      await more.first().click();
      await page.waitForFunction(
        (known) => document.querySelectorAll('.docs-nav a[href^="/calls/"]').length > known,
        before,
      );
      assert.match(String(await page.evaluate("document.activeElement.textContent")), /^Call /);
    }
    assert.deepEqual(
      await calls(),
      Array.from({ length: 400 }, (_, at) => `Call ${at}`),
    );
  });

  it("leads to pages without scripts", async () => {
    await open("/part-0", { javaScriptEnabled: false });
    await nav().getByRole("link", { name: "calls", exact: true }).click();
    assert.equal(new URL(page.url()).pathname, "/calls/call-000");
    await nav().getByRole("link", { name: /more$/ }).click();
    assert.match(new URL(page.url()).pathname, /^\/calls\/call-1\d\d$/);
  });

  for (const colorScheme of ["light", "dark"] as const) {
    it(`has no mistake that axe finds, wide and narrow, ${colorScheme}`, async () => {
      await open("/calls/call-200", { colorScheme });
      await look(`sidebar-wide-${colorScheme}`);
      await group("Part 1").click();
      await nav().getByText("group-2", { exact: true }).nth(0).waitFor();
      await look(`sidebar-wide-open-${colorScheme}`);
      await page.setViewportSize(SMALL);
      await page.locator(".docs-bar-pages").click();
      await look(`sidebar-narrow-${colorScheme}`);
      await page.goto("/archive");
      await look(`archive-narrow-${colorScheme}`);
      const rows = await page.locator(".year-list li").evaluateAll((items) =>
        items.map((item) => {
          const date = item.querySelector("time")?.getBoundingClientRect();
          const title = item.querySelector("a")?.getBoundingClientRect();
          return [date?.left, title?.left, (title?.top ?? 0) >= (date?.bottom ?? 0) - 2];
        }),
      );
      assert.equal(new Set(rows.map((row) => row.join())).size, 1, JSON.stringify(rows));
    });
  }
});
