import assert from "node:assert/strict";
import type { Browser, Page } from "playwright-core";
import { bootSite, type TestSite } from "../../support/sites/boot-site.js";
import { useChromium } from "../../support/services.js";

describe("the built-in search page in a browser", () => {
  let browser: Browser;
  let site: TestSite;
  before(async function () {
    browser = await useChromium(this);
    site = await bootSite({
      plugins: ["content", "markdown", "search", "pages", "security"],
      env: { SITE_ENV: "production" },
      files: {
        "content/01.home/default.md": "# Home\n\nAn orchard.",
        "content/02.apple/default.md": "# Apple\n\nAn apple a day.",
        "content/03.hostile/default.md":
          "---\ntitle: '<img src=x onerror=fetch(\"/pwn\")>'\n---\nhostile &lt;img src=x onerror=fetch('/pwn')&gt; words",
      },
    });
  });
  after(() => site.close());
  const open = async (path: string, javaScriptEnabled = true): Promise<Page> => {
    const page = await (await browser.newContext({ javaScriptEnabled })).newPage();
    await page.goto(site.url + path);
    return page;
  };

  it("works without JavaScript, with the keyboard only", async () => {
    const page = await open("/search", false);
    await page.keyboard.press("Tab");
    await page.locator("#q").focus();
    await page.keyboard.type("apple");
    await page.keyboard.press("Enter");
    await page.waitForURL(/q=apple/);
    assert.equal(await page.locator(".search-result a").first().textContent(), "Apple");
    await page.context().close();
  });

  it("shows results while typing, announces their number and updates the address", async () => {
    const page = await open("/search");
    await page.locator("#q").fill("appl");
    await page.locator(".search-result mark").first().waitFor();
    assert.equal(await page.locator("#search-status").textContent(), "1 result");
    assert.match(page.url(), /\?q=appl$/);
    await page.locator("#q").fill("nothing at all");
    await page.locator("#search-empty").waitFor();
    assert.match((await page.locator("#search-empty").textContent()) ?? "", /nothing at all/);
    await page.context().close();
  });

  it("runs no script in titles or texts", async () => {
    const page = await open("/search");
    const asked: string[] = [];
    const complaints: string[] = [];
    page.on("request", (request) => asked.push(new URL(request.url()).pathname));
    page.on("dialog", (dialog) => complaints.push(dialog.message()));
    page.on("console", (message) => message.type() === "error" && complaints.push(message.text()));
    await page.locator("#q").fill("hostile");
    await page.locator(".search-result").first().waitFor();
    assert.match(
      (await page.locator(".search-result a").first().textContent()) ?? "",
      /^<img src=x/,
    );
    assert.equal(await page.locator("img").count(), 0);
    assert.equal(asked.includes("/pwn"), false);
    assert.deepEqual(complaints, []);
    await page.context().close();
  });
});
