import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { createRequire } from "node:module";
import type { Browser, BrowserContext, Page } from "playwright-core";
import { h } from "preact";
import { definePlugin } from "#kernel";
import { bootAdmin, password, type AdminSite } from "../../../support/sites/admin-site.js";
import { useChromium } from "../../../support/services.js";

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
  let receiver: Server;
  let site: AdminSite;
  let calls = 0;
  const messages: string[] = [];
  before(async function () {
    browser = await useChromium(this);
  });
  beforeEach(async () => {
    calls = 0;
    messages.length = 0;
    receiver = createServer((_req, res) => {
      calls += 1;
      res.writeHead(calls === 1 ? 204 : 200).end();
    });
    await new Promise<void>((resolve) => receiver.listen(0, "127.0.0.1", resolve));
    const { port } = receiver.address() as AddressInfo;
    site = await bootAdmin({
      extraPlugins: [orders],
      files: {
        "admin.yaml": `webhooks:\n  - url: http://127.0.0.1:${port}/hook\n    label: Build\n    events: [onPageUpdate]\n`,
        "content/05.evil/default.md": "---\ntitle: <script>alert(1)</script>\n---\n",
      },
    });
    context = await browser.newContext({ baseURL: site.url, javaScriptEnabled: false });
    page = await context.newPage();
    page.on("console", (message) => messages.push(message.text()));
  });
  afterEach(async () => {
    await context.close();
    await site.close();
    receiver.closeAllConnections();
    await new Promise((resolve) => receiver.close(resolve));
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
    assert.equal(await page.getByRole("heading", { level: 1 }).textContent(), "Dashboard");
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
    assert.equal(await page.getByRole("alert").textContent(), "the name or password is wrong");
    await page.getByLabel("Username").fill("eva");
    await page.getByLabel("Password").fill(password);
    await page.getByRole("button", { name: "Sign in" }).click();
    assert.equal(new URL(page.url()).pathname, "/admin");
  });

  it("shows deliveries and resends one", async () => {
    const admin = await site.as("admin");
    await admin.json(200, "PUT", "/admin/api/pages/01.home/default.md", { body: "New\n" });
    await settle(() => calls === 1);
    await signIn("admin");
    await page
      .getByRole("button", { name: /^Redeliver onPageUpdate/ })
      .first()
      .click();
    assert.equal(await page.getByRole("status").textContent(), "The delivery was sent again.");
    await settle(() => calls === 2);
    const { items } = await admin.json(200, "GET", "/admin/api/webhooks/deliveries");
    assert.equal(items[0].redeliveryOf, items[1].id);
    const again = await admin.json(
      202,
      "POST",
      `/admin/api/webhooks/deliveries/${items[1].id}/redeliver`,
    );
    assert.equal(again.redeliveryOf, items[1].id);
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
    const answer = await admin.send(
      "POST",
      "/admin/deliveries/x/redeliver",
      "_csrf=wrong",
      headers,
    );
    assert.equal(answer.status, 403);
  });

  it("shows pages of plugins in its menu and frame", async () => {
    await signIn("admin");
    await page.getByRole("link", { name: "Orders" }).click();
    assert.match((await page.textContent("main")) ?? "", /three orders for/);
    assert.equal(await page.locator("[aria-current=page]").textContent(), "Orders");
  });

  it("escapes titles and searches", async () => {
    await site.fetch(`/api/search?q=${encodeURIComponent("<img src=x onerror=alert(1)>")}`);
    await signIn("admin");
    const html = await page.content();
    assert.match(html, /&lt;script&gt;alert/);
    assert.doesNotMatch(html, /<script|<img/);
  });

  it("has a style sheet named by its digest, cacheable for a year", async () => {
    const html = await (await site.fetch("/admin/login")).text();
    const href = /href="(\/admin\/assets\/admin\.[0-9a-f]+\.css)"/.exec(html)?.[1] ?? "";
    const answer = await site.fetch(href);
    assert.equal(answer.status, 200);
    assert.match(answer.headers.get("cache-control") ?? "", /immutable/);
    assert.notEqual((await site.fetch("/admin/assets/admin.0000000000.css")).status, 200);
  });

  for (const colorScheme of ["light", "dark"] as const) {
    for (const width of [390, 1280]) {
      it(`has no accessibility violations (${colorScheme}, ${width} pixels)`, async () => {
        const admin = await site.as("admin");
        await admin.json(200, "PUT", "/admin/api/pages/01.home/default.md", { body: "New\n" });
        await settle(() => calls === 1);
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
  }
});

async function settle(isDone: () => boolean): Promise<void> {
  for (let tries = 0; tries < 200 && !isDone(); tries += 1) {
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
  assert.ok(isDone());
}
