import assert from "node:assert/strict";
import { brotliCompressSync } from "node:zlib";
import type { Browser } from "playwright-core";
import type { AdminSite } from "../../support/sites/admin-site.js";
import {
  assertAccessible,
  bootPanel,
  openPanel,
  type PanelPage,
} from "../../support/browsers/panel-browser.js";
import { until } from "../../support/until.js";
import { useChromium } from "../../support/services.js";
import { VIEWS } from "../../support/browsers/views.js";

describe("the panel's shell", () => {
  let browser: Browser;
  let site: AdminSite;
  let opened: PanelPage | null = null;
  before(async function () {
    browser = await useChromium(this);
  });
  beforeEach(async () => {
    site = await bootPanel();
  });
  afterEach(async () => {
    await opened?.close();
    opened = null;
    await site.close();
  });

  it("shows the dashboard with a policy that admits no inline script", async () => {
    opened = await openPanel(browser, site);
    const { page, messages } = opened;
    await page.getByRole("heading", { level: 1, name: /^Welcome/ }).waitFor();
    assert.deepEqual(messages, []);
    const answer = await page.reload();
    const policy = answer?.headers()["content-security-policy"] ?? "";
    assert.doesNotMatch(policy, /unsafe/);
    assert.match(policy, /style-src 'self' 'nonce-/);
  });

  it("shows its screens below the path of the url", async () => {
    await site.close();
    site = await bootPanel({ settings: { site: { url: "http://127.0.0.1/docs" } } });
    opened = await openPanel(browser, site);
    const { page, messages } = opened;
    await page.goto("/docs/admin/redirects");
    await page.getByRole("heading", { level: 1, name: "Redirects" }).waitFor();
    await page.getByRole("link", { name: "Pages", exact: true }).click();
    await page.waitForURL("**/docs/admin/pages");
    await page.getByRole("heading", { level: 1, name: "Pages" }).waitFor();
    const hrefs = await page
      .locator("a[href]")
      .evaluateAll((links) => links.map((link) => link.getAttribute("href") ?? ""));
    const outside = hrefs.filter((href) => href.startsWith("/") && !href.startsWith("/docs/"));
    assert.deepEqual(outside, []);
    await page.goto("/admin/redirects");
    await page.getByRole("heading", { level: 1, name: "Redirects" }).waitFor();
    assert.deepEqual(messages, []);
  });

  it("leads to login without a session and back to the requested screen", async () => {
    const answer = await site.fetch("/admin/pages?q=a", { redirect: "manual" });
    assert.equal(answer.status, 302);
    assert.equal(answer.headers.get("location"), "/admin/login?next=%2Fadmin%2Fpages%3Fq%3Da");
  });

  it("says without JavaScript that it needs it", async () => {
    const admin = await site.as("admin");
    const html = await (await admin.send("GET", "/admin")).text();
    assert.match(html, /<noscript><main><p>The panel needs JavaScript\.<\/p><\/main><\/noscript>/);
    assert.equal((await admin.send("GET", "/admin/overview")).status, 404);
  });

  it("lists pages, and narrows the list by words and status", async () => {
    opened = await openPanel(browser, site, { path: "/pages" });
    const { page } = opened;
    await page.getByRole("link", { name: "Second" }).waitFor();
    await page.getByLabel("Search title or address").fill("first");
    await page.getByText("One page", { exact: true }).waitFor();
    await page.getByLabel("Search title or address").fill("");
    await page.getByLabel("Status").selectOption("draft");
    await page.getByText("One page", { exact: true }).waitFor();
    assert.match(page.url(), /\?status=draft$/);
  });

  it("opens screens and pages from the command palette by keyboard", async () => {
    opened = await openPanel(browser, site);
    const { page } = opened;
    await page.getByRole("heading", { level: 1 }).waitFor();
    await page.keyboard.press("Control+k");
    await page.locator("[role=combobox]:focus").waitFor();
    await page.keyboard.type("pages");
    await page.getByRole("option", { name: "Pages" }).waitFor();
    await page.keyboard.press("Enter");
    await page.getByRole("heading", { name: "Pages" }).waitFor();
  });

  it("finds records, files, people and settings in the command palette, by right", async () => {
    await site.write("flex-objects/boats.yaml", "title: Boats\nfields:\n  name: { type: text }\n");
    const admin = await site.as("admin", { username: "finder" });
    await until(async () => (await admin.send("GET", "/admin/api/flex/boats")).status === 200);
    await admin.json(201, "POST", "/admin/api/flex/boats", { name: "Harbour boat" });
    await site.write("content/01.home/harbour.txt", "harbour");
    await site.site.use("content").refresh(["01.home"]);
    await site.as("author", { username: "harbourmaster" });
    opened = await openPanel(browser, site);
    const { page } = opened;
    await page.keyboard.press("Control+k");
    await page.locator("[role=combobox]:focus").waitFor();
    await page.keyboard.type("harbour");
    for (const name of [/Harbour boat/, /harbour\.txt/, /harbourmaster/])
      await page.getByRole("option", { name }).waitFor();
    await page.locator("[role=combobox]").fill("upload");
    await page.getByRole("option", { name: "Upload files" }).waitFor();
    await page.locator("[role=combobox]").fill("time zone");
    await page
      .getByRole("option", { name: /Time zone/ })
      .first()
      .waitFor();
    await page.keyboard.press("Enter");
    await page.waitForURL(/\/settings\/system\?find=timezone/);
    await page.getByRole("searchbox").waitFor();
    await opened.close();
    opened = await openPanel(browser, site, { role: "author" });
    const other = opened.page;
    await other.keyboard.press("Control+k");
    await other.locator("[role=combobox]:focus").waitFor();
    await other.keyboard.type("harbour");
    await other.getByRole("option", { name: /Harbour boat/ }).waitFor();
    assert.equal(await other.getByRole("option", { name: /harbourmaster/ }).count(), 0);
    await other.locator("[role=combobox]").fill("time zone");
    await other.getByText("Nothing found").waitFor();
    assert.deepEqual(opened.messages, []);
  });

  it("speaks German to German browsers, and runs from right to left", async () => {
    opened = await openPanel(browser, site, { locale: "de-DE", path: "/pages" });
    const { page } = opened;
    await page.getByRole("heading", { name: "Seiten" }).waitFor();
    assert.equal(await page.evaluate("document.documentElement.lang"), "de");
    await page.evaluate("document.documentElement.dir = 'rtl'");
    const side = await page.evaluate<number>(
      "document.querySelector('#menu').getBoundingClientRect().left",
    );
    assert.ok(side > 640, "the menu is on the right");
  });

  it("hides what a role may not do", async () => {
    opened = await openPanel(browser, site, { role: "author", path: "/pages" });
    const { page } = opened;
    await page.getByRole("button", { name: "New page" }).waitFor();
    assert.equal(await page.getByRole("link", { name: "Users" }).count(), 0);
  });

  it("asks to sign in again over the page when the session ended, and goes on", async () => {
    opened = await openPanel(browser, site, { path: "/pages", username: "eva" });
    const { page } = opened;
    await page.getByRole("link", { name: "Second" }).waitFor();
    await page.context().clearCookies();
    await page.getByLabel("Search title or address").fill("sec");
    const dialog = page.getByRole("dialog", { name: "Sign in again" });
    await dialog.getByLabel("Username or e-mail address").fill("eva");
    await dialog.getByLabel("Password").fill("correct horse battery");
    await dialog.getByRole("button", { name: "Sign in" }).click();
    await page.getByText("One page", { exact: true }).waitFor();
  });

  /** Addresses that a browser with an empty cache requests until nothing has moved for a second. */
  async function requestsOf(path: string): Promise<string[]> {
    opened = await openPanel(browser, site);
    const { page } = opened;
    const fresh = await page.context().newPage();
    const requests: string[] = [];
    let last = performance.now();
    fresh.on("request", (request) => {
      if (request.url().startsWith("http")) requests.push(request.url());
      last = performance.now();
    });
    fresh.on("requestfinished", () => (last = performance.now()));
    await fresh.goto(new URL(path, page.url()).href);
    await until(() => requests.length > 5 && performance.now() - last > 1_000);
    await fresh.close();
    return requests;
  }

  it("sends at most 45 KiB before a screen, 160 KiB more for the editor, and 25 requests", async () => {
    const requests = await requestsOf("/admin/edit/01.home/default.md");
    const files = requests.filter((url) => url.includes("/assets/panel/"));
    const bytesOf = async (isCounted: (url: string) => boolean): Promise<number> => {
      const texts = files.filter(isCounted).map(async (url) => (await fetch(url)).text());
      const sizes = (await Promise.all(texts)).map((text) => brotliCompressSync(text).length);
      return sizes.reduce((sum, size) => sum + size, 0);
    };
    const isFirst = (url: string): boolean => /\/(?:main|shell)-/.test(url);
    // Loaded when the text is there.
    const isLater = (url: string): boolean => /\/(?:later|set-key)-/.test(url);
    const shell = await bytesOf(isFirst);
    const editor = await bytesOf((url) => !isFirst(url) && !isLater(url));
    assert.ok(shell > 10 * 1024 && shell <= 45 * 1024, `the shell has ${shell} bytes`);
    assert.ok(editor > 99 * 1024 && editor <= 160 * 1024, `the editor has ${editor} bytes`);
    assert.ok(files.some(isLater), requests.join("\n"));
    assert.ok(requests.length <= 25, requests.join("\n"));
  });

  for (const { colorScheme, width } of VIEWS) {
    it(`has no accessibility violations (${colorScheme}, ${width} pixels)`, async () => {
      const viewport = { width, height: 900 };
      opened = await openPanel(browser, site, { colorScheme, viewport, bypassCSP: true });
      const { page } = opened;
      await page.getByRole("heading", { level: 1 }).waitFor();
      await assertAccessible(page, `dashboard-${colorScheme}-${width}`);
      await page.goto("/admin/pages");
      await page.getByRole("link", { name: "Second" }).waitFor();
      await assertAccessible(page, `pages-${colorScheme}-${width}`);
      await page.keyboard.press("?");
      await page.getByRole("dialog").waitFor();
      await assertAccessible(page, `help-${colorScheme}-${width}`);
    });
  }
});
