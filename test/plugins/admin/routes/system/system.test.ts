import assert from "node:assert/strict";
import { bootAdmin } from "../../../../support/sites/admin-site.js";
import { startReceiver } from "../../../../support/servers/webhook-receiver.js";
import { useAdmin } from "../../../../support/sites/use-site.js";

describe("introspect, search analytics, deliveries, plugins, audit", () => {
  const site = useAdmin({
    plugins: undefined,
    files: {
      "site.yaml": "title: Shown\nurl: https://shown.example\nhealth_token: canary-health-token\n",
      "admin.yaml":
        "incoming_webhooks:\n  - token: canary-incoming-token\n    actions: [rebuild]\n",
      "forms/contact.yaml": "fields:\n  message: { type: text, required: true }\n",
    },
  });
  const author = site.user("author");
  const admin = site.user("admin");

  it("introspect shows the listed fields and no secret", async () => {
    const body = await author.json(200, "GET", "/admin/api/introspect");
    assert.deepEqual(Object.keys(body), ["pages", "plugins", "theme", "forms", "config"]);
    assert.deepEqual(body.pages, { total: 4, published: 3, drafts: 1 });
    assert.deepEqual(body.config, { title: "Shown", url: "https://shown.example" });
    assert.deepEqual(body.forms, [{ name: "contact", enabled: true }]);
    assert.equal(body.theme.name, "default");
    assert.ok(body.theme.templates.includes("default"));
    const content = body.plugins.find(({ name }: { name: string }) => name === "content");
    assert.equal(content.version, "1.0.0");
    assert.ok(Array.isArray(content.hooks));
    assert.doesNotMatch(JSON.stringify(body), /canary/);
  });

  it("search analytics have the specified shape", async () => {
    await site.fetch("/api/search?q=first");
    await site.fetch("/api/search?q=nothingatall");
    const body = await author.json(200, "GET", "/admin/api/search/analytics");
    assert.deepEqual(Object.keys(body).sort(), [
      "topQueries",
      "totalSearches",
      "zeroResultQueries",
    ]);
  });

  it("deliveries are a list with a total; redelivering an unknown one is 404", async () => {
    assert.deepEqual(await author.json(200, "GET", "/admin/api/webhooks/deliveries"), {
      items: [],
      total: 0,
    });
    for (const id of ["none", "..%2f..%2fconfig", "%00", "a".repeat(300), "__proto__"]) {
      const answer = await admin.send("POST", `/admin/api/webhooks/deliveries/${id}/redeliver`);
      assert.equal(answer.status, 404, id);
    }
  });

  it("sends a delivery again as a new one", async () => {
    const receiver = await startReceiver();
    const sending = await bootAdmin({
      files: {
        "admin.yaml": `webhooks:\n  - url: ${receiver.url}\n    label: Build\n    events: [onPageUpdate]\n`,
      },
    });
    const first = await sending.site.use("webhooks").test("Build");
    const sender = await sending.as("admin");
    const path = `/admin/api/webhooks/deliveries/${first.id}/redeliver`;
    assert.equal((await sender.json(202, "POST", path)).redeliveryOf, first.id);
    const { items } = await sender.json(200, "GET", "/admin/api/webhooks/deliveries");
    assert.equal(items[0].redeliveryOf, first.id);
    await sending.close();
    await receiver.close();
  });

  it("plugins include hook statistics, for admins", async () => {
    const { items } = await admin.json(200, "GET", "/admin/api/plugins");
    assert.ok(
      items.every(
        ({ state, stats }: { state: string; stats: unknown }) =>
          state === "active" && Array.isArray(stats),
      ),
    );
    assert.equal((await author.send("GET", "/admin/api/plugins")).status, 403);
  });

  it("the audit log is listed newest first, filtered and in slices", async () => {
    const all = await admin.json(200, "GET", "/admin/api/audit");
    assert.ok(all.total >= 2);
    assert.ok(all.entries[0].ts >= all.entries[1].ts);
    const logins = await admin.json(200, "GET", "/admin/api/audit?event=auth.login&limit=1");
    assert.deepEqual([logins.entries.length, logins.total], [1, 2]);
    assert.equal((await admin.send("GET", "/admin/api/audit?limit=x")).status, 400);
    assert.equal((await author.send("GET", "/admin/api/audit")).status, 403);
  });
});

describe("the admin", () => {
  it("does not exist when admin.enabled is false, and creates no account", async () => {
    const site = await bootAdmin({ files: { "admin.yaml": "enabled: false\n" } });
    try {
      assert.equal(site.site.find("admin"), undefined);
      assert.equal((await site.fetch("/admin/login")).status, 404);
      assert.equal(await site.site.use("users").count(), 0);
    } finally {
      await site.close();
    }
  });

  it("uses another prefix with admin.path", async () => {
    const site = await bootAdmin({ files: { "admin.yaml": "path: /desk/panel\n" } });
    try {
      assert.equal((await site.fetch("/desk/panel")).headers.get("location"), "/desk/panel/login");
      assert.equal((await site.fetch("/desk/panel/api/pages")).status, 401);
      assert.equal((await site.fetch("/admin")).status, 404);
    } finally {
      await site.close();
    }
  });
});
