import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import type { Browser, BrowserContext, Page } from "playwright-core";
import { h } from "preact";
import { definePlugin } from "#kernel";
import { bootAdmin, password, type AdminSite } from "../../../support/sites/admin-site.js";
import { useChromium } from "../../../support/services.js";
import { VIEWS } from "../../../support/browsers/views.js";

const axe = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");

const orders = definePlugin({
  name: "orders",
  version: "1.0.0",
  after: ["admin"],
  setup(site) {
    site.use("admin", { optional: true })?.page({
      path: "/orders",
      label: "Orders",
      permission: "users.manage",
      render: ({ identity }) => h("p", null, `three orders for ${identity.name}`),
    });
    site.use("admin", { optional: true })?.route({
      method: "get",
      path: "/orders",
      permission: "users.manage",
      summary: "Orders",
      handler: (req, res) => site.http.json(req, res, { items: [] }),
    });
  },
});

describe("the panel", () => {
  let browser: Browser;
  let context: BrowserContext;
  let page: Page;
  let site: AdminSite;
  const messages: string[] = [];
  before(async function () {
    browser = await useChromium(this);
  });
  beforeEach(async () => {
    messages.length = 0;
    site = await bootAdmin({
      extraPlugins: [orders],
    });
    context = await browser.newContext({ baseURL: site.url, javaScriptEnabled: false });
    page = await context.newPage();
    page.on("console", (message) => messages.push(message.text()));
  });
  afterEach(async () => {
    await context.close();
    await site.close();
  });

  const signIn = async (role: string): Promise<void> => {
    await site.as(role, { username: `panel-${role}` });
    await page.goto("/admin");
    assert.match(page.url(), /\/admin\/login$/);
    await page.getByLabel("Username or e-mail address").fill(`panel-${role}`);
    await page.getByLabel("Password").fill(password);
    await page.getByRole("button", { name: "Sign in" }).click();
  };

  it("signs in and out without JavaScript", async () => {
    await signIn("author");
    assert.equal(new URL(page.url()).pathname, "/admin");
    assert.equal(await page.getByRole("heading", { level: 1 }).textContent(), "Panel");
    await page.getByRole("button", { name: "Sign out" }).click();
    assert.equal(new URL(page.url()).pathname, "/admin/login");
    await page.goto("/admin");
    assert.match(page.url(), /\/admin\/login$/);
    assert.deepEqual(messages, [], "nothing breaks the content security policy");
  });

  it("shows an error and signs in at the second try", async () => {
    await site.as("editor", { username: "eva" });
    await page.goto("/admin/login");
    await page.getByLabel("Username").fill("eva");
    await page.getByLabel("Password").fill("not the password");
    await page.getByRole("button", { name: "Sign in" }).click();
    assert.equal(await page.getByRole("alert").textContent(), "The name or password is wrong.");
    assert.equal(await page.getByLabel("Username").inputValue(), "eva");
    await page.getByLabel("Password").fill(password);
    await page.getByRole("button", { name: "Sign in" }).click();
    assert.equal(new URL(page.url()).pathname, "/admin");
  });

  it("says that the panel needs JavaScript and its plugin", async () => {
    await signIn("author");
    const text = (await page.textContent("main")) ?? "";
    assert.match(text, /needs JavaScript and the plugin panel/);
    const answer = await page.goto("/admin/overview");
    assert.equal(answer?.status(), 404);
  });

  it("hides from authors what they may not do, and rejects it", async () => {
    await signIn("author");
    assert.equal(await page.getByRole("link", { name: "Orders" }).count(), 0);
    const answer = await page.goto("/admin/orders");
    assert.equal(answer?.status(), 403);
  });

  it("rejects a form without the session's token", async () => {
    const admin = await site.as("admin");
    const headers = { "content-type": "application/x-www-form-urlencoded", "x-csrf-token": "" };
    const answer = await admin.send("POST", "/admin/logout", "_csrf=wrong", headers);
    assert.equal(answer.status, 403);
  });

  it("shows pages of plugins in its menu and frame", async () => {
    await signIn("admin");
    await page.getByRole("link", { name: "Orders" }).click();
    assert.match((await page.textContent("main")) ?? "", /three orders for/);
    assert.equal(await page.locator("[aria-current=page]").textContent(), "Orders");
  });

  it("escapes the title of the site", async () => {
    await site.close();
    site = await bootAdmin({ files: { "site.yaml": "title: <script>alert(1)</script>\n" } });
    const html = await (await (await site.as("author")).send("GET", "/admin")).text();
    assert.match(html, /&lt;script>alert/);
    assert.doesNotMatch(html, /<script/);
  });

  it("has a style sheet named by its digest, cacheable for a year", async () => {
    const html = await (await site.fetch("/admin/login")).text();
    const href = /href="(\/admin\/assets\/admin\.[0-9a-f]+\.css)"/.exec(html)?.[1] ?? "";
    const answer = await site.fetch(href);
    assert.equal(answer.status, 200);
    assert.match(answer.headers.get("cache-control") ?? "", /immutable/);
    assert.notEqual((await site.fetch("/admin/assets/admin.0000000000.css")).status, 200);
  });

  for (const { colorScheme, width } of VIEWS) {
    it(`has no accessibility violations (${colorScheme}, ${width} pixels)`, async () => {
      await signIn("admin");
      const state = await context.storageState();
      const own = await browser.newContext({
        baseURL: site.url,
        colorScheme,
        storageState: state,
        bypassCSP: true,
        viewport: { width, height: 900 },
      });
      try {
        const shown = await own.newPage();
        for (const path of ["/admin/login", "/admin", "/admin/orders"]) {
          await shown.goto(path);
          if (process.env["SHOTS"])
            await shown.screenshot({
              path: `${process.env["SHOTS"]}/${path.replaceAll("/", "_")}-${colorScheme}-${width}.png`,
              fullPage: true,
            });
          await shown.evaluate(axe);
          const found = await shown.evaluate(
            "axe.run().then(({ violations }) => violations.map(({ id, nodes }) => id + ' ' + nodes[0].html))",
          );
          assert.deepEqual(found, [], path);
          const overflow = await shown.evaluate(
            "document.documentElement.scrollWidth > innerWidth",
          );
          assert.equal(overflow, false, `${path} is wider than the window`);
        }
      } finally {
        await own.close();
      }
    });
  }
});
