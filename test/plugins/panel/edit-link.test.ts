import assert from "node:assert/strict";
import type { Browser, BrowserContext } from "playwright-core";
import { password, type AdminSite } from "../../support/sites/admin-site.js";
import { bootPanel } from "../../support/browsers/panel-browser.js";
import { useChromium } from "../../support/services.js";

const files = {
  "content/03.about/default.md": "---\ntitle: About\n---\nUs.\n",
  "content/03.about/default.de.md": "---\ntitle: Wir\n---\nWir.\n",
};
const settings = {
  system: { page_cache: { enabled: true }, languages: { supported: ["en", "de"], default: "en" } },
};

describe("edit this page", () => {
  let browser: Browser;
  let site: AdminSite;
  let context: BrowserContext;
  before(async function () {
    browser = await useChromium(this);
    site = await bootPanel({ files, settings });
    await site.as("editor", { username: "ada" });
  });
  after(() => site.close());
  beforeEach(async () => {
    context = await browser.newContext({ baseURL: site.url, locale: "en-GB" });
  });
  afterEach(() => context.close());

  it("gives every visitor the same cached page", async () => {
    const live = await bootPanel({ settings, env: { SITE_ENV: "production" } });
    try {
      const cookie = "site_panel=1";
      const first = await live.fetch("/blog/first");
      const again = await live.fetch("/blog/first");
      const marked = await live.fetch("/blog/first", { headers: { cookie } });
      const html = await first.text();
      assert.match(
        html,
        /<script type="module" data-live src="\/admin\/assets\/page\/edit-link-\w+\.js">/,
      );
      assert.equal(await again.text(), html);
      assert.equal(await marked.text(), html);
      assert.equal(marked.headers.get("etag"), first.headers.get("etag"));
      assert.equal(first.headers.get("set-cookie"), null);
      assert.match(first.headers.get("cache-control") ?? "", /public/);
    } finally {
      await live.close();
    }
  });

  it("shows nothing to people without the cookie", async () => {
    const page = await context.newPage();
    const messages: string[] = [];
    page.on("console", (message) => messages.push(message.text()));
    await page.goto("/blog/first", { waitUntil: "networkidle" });
    assert.equal(await page.getByRole("link", { name: "Edit this page" }).count(), 0);
    assert.deepEqual(messages, []);
  });

  it("is not offered on an error page", async () => {
    const { cookie } = await site.as("editor", { username: "err" });
    const [name = "", value = ""] = cookie.split("=");
    await context.addCookies([
      { name, value, url: site.url },
      { name: "site_panel", value: "1", url: site.url },
    ]);
    const page = await context.newPage();
    await page.goto("/blog/first", { waitUntil: "networkidle" });
    assert.equal(await page.getByRole("link", { name: "Edit this page" }).count(), 1);
    const response = await page.goto("/no/such/page", { waitUntil: "networkidle" });
    assert.equal(response?.status(), 404);
    assert.equal(await page.getByRole("link", { name: "Edit this page" }).count(), 0);
  });

  it("leads from a public page to its editor and ends with signing out", async () => {
    const page = await context.newPage();
    const messages: string[] = [];
    page.on("console", (message) => {
      if (message.type() === "error") messages.push(message.text());
    });
    await page.goto("/admin/login");
    await page.getByLabel("Username or e-mail address").fill("ada");
    await page.getByLabel("Password", { exact: true }).fill(password);
    await page.getByRole("button", { name: "Sign in", exact: true }).click();
    await page.locator("#main").waitFor();
    await page.goto("/blog/first");
    await page.getByRole("link", { name: "Edit this page" }).press("Enter");
    await page.waitForURL("**/admin/edit/02.blog/01.first/post.md");
    await page.goto("/de/about");
    await page.getByRole("link", { name: "Seite bearbeiten" }).click();
    await page.waitForURL("**/admin/edit/03.about/default.de.md");
    await page.goto("/");
    await page.getByRole("link", { name: "Edit this page" }).click();
    await page.waitForURL("**/admin/edit/01.home/default.md");
    await page.goto("/admin/edit-page?path=/nothing/here");
    await page.waitForURL("**/admin/pages?q=*");
    assert.deepEqual(
      messages.filter((text) => !text.includes("404")),
      [],
    );
    await page.getByRole("button", { name: "Sign out" }).click();
    await page.waitForURL("**/admin/login");
    await page.goto("/blog/first", { waitUntil: "networkidle" });
    assert.equal(await page.getByRole("link", { name: "Edit this page" }).count(), 0);
  });

  it("never leads to another site", async () => {
    const { cookie } = await site.as("editor", { username: "eve" });
    const [name = "", value = ""] = cookie.split("=");
    await context.addCookies([{ name, value, url: site.url, sameSite: "Strict" }]);
    const page = await context.newPage();
    for (const path of ["https://evil.example/", "//evil.example/x", "javascript:alert(1)"]) {
      await page.goto(`/admin/edit-page?path=${encodeURIComponent(path)}`);
      await page.waitForURL("**/admin/pages?q=*");
      assert.ok(page.url().startsWith(site.url));
    }
  });

  it("is off with edit_link: false", async () => {
    const other = await bootPanel({ settings: { admin: { edit_link: false } } });
    try {
      assert.doesNotMatch(await (await other.fetch("/blog/first")).text(), /edit-link/);
    } finally {
      await other.close();
    }
  });
});
