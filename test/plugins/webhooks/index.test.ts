import assert from "node:assert/strict";
import { createHmac } from "node:crypto";
import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { ConfigError } from "#kernel";
import { bootSite, type BootOptions, type TestSite } from "../../support/sites/boot-site.js";
import { startReceiver, type Receiver } from "../../support/servers/webhook-receiver.js";
import { until } from "../../support/until.js";

const plugins = ["content", "webhooks", "health"];
const page = (title: string) => `---\ntitle: ${title}\n---\nText\n`;

describe("outgoing webhooks of a site", () => {
  let site: TestSite | undefined;
  let receiver: Receiver;
  beforeEach(async () => {
    receiver = await startReceiver();
  });
  afterEach(async () => {
    await site?.close();
    site = undefined;
    await receiver.close();
  });

  async function boot(webhooks: unknown[], options: BootOptions = {}): Promise<TestSite> {
    const files = { "content/01.home/default.md": page("Home") };
    site = await bootSite({ files, plugins, settings: { admin: { webhooks } }, ...options });
    return site;
  }

  const events = ["onPageCreate", "onPageUpdate", "onPageDelete", "onWorkflowChange"];

  it("sends event, payload and time with the documented headers, signed over the exact bytes", async () => {
    const { site: running } = await boot([
      { url: receiver.url, events, secret: "top secret", label: "Mine" },
    ]);
    const content = running.use("content");
    await content.apply([
      { op: "write", path: "02.grüße/default.md", content: page('"Grüße 🎉"') },
    ]);
    await receiver.count(1);
    const [hook] = receiver.received;
    assert.ok(hook);
    const body = JSON.parse(hook.body.toString());
    assert.equal(body.event, "onPageCreate");
    assert.deepEqual(body.payload, { sourcePath: "02.grüße/default.md", title: "Grüße 🎉" });
    assert.equal(new Date(body.sentAt).toISOString(), body.sentAt);
    assert.equal(hook.headers["content-type"], "application/json; charset=utf-8");
    assert.equal(hook.headers["user-agent"], "Site/0.4");
    const signature = createHmac("sha256", "top secret").update(hook.body).digest("hex");
    assert.equal(hook.headers["x-site-signature"], `sha256=${signature}`);
    const id = String(hook.headers["x-site-delivery"]);
    assert.equal(hook.headers["webhook-id"], id);
    const signed = `${id}.${String(hook.headers["x-site-timestamp"])}.`;
    const standard = createHmac("sha256", "top secret")
      .update(signed)
      .update(hook.body)
      .digest("base64");
    assert.equal(hook.headers["webhook-signature"], `v1,${standard}`);
  });

  it("sends creation, update, status change and deletion, each with its payload", async () => {
    const { site: running } = await boot([{ url: receiver.url, events }]);
    const content = running.use("content");
    const path = "02.a/default.md";
    await content.apply([{ op: "write", path, content: page("A") }]);
    await content.apply([{ op: "frontmatter", path, patch: { status: "archived" } }]);
    await content.apply([{ op: "delete", path }]);
    await receiver.count(4);
    const told = receiver.received.map(({ body }) => JSON.parse(body.toString()));
    assert.deepEqual(
      told.map(({ event, payload }) => [event, payload]),
      [
        ["onPageCreate", { sourcePath: path, title: "A" }],
        ["onPageUpdate", { sourcePath: path, title: "A" }],
        ["onWorkflowChange", { sourcePath: path, from: "published", to: "archived" }],
        ["onPageDelete", { sourcePath: path }],
      ],
    );
    assert.ok(receiver.received.every(({ headers }) => headers["x-site-signature"] === undefined));
  });

  it("sends only subscribed events to enabled endpoints, and twice to a duplicate address", async () => {
    const { site: running } = await boot([
      { url: receiver.url, events: ["onPageCreate"], label: "one" },
      { url: receiver.url, events: ["onPageCreate"], label: "two" },
      { url: receiver.url, events: ["onPageDelete"] },
      { url: receiver.url, events, enabled: false },
    ]);
    await running
      .use("content")
      .apply([{ op: "write", path: "02.a/default.md", content: page("A") }]);
    await receiver.count(2);
    await until(() => running.use("webhooks").status().pending === 0);
    assert.equal(receiver.received.length, 2);
    assert.equal(
      new Set(receiver.received.map(({ headers }) => headers["x-site-delivery"])).size,
      2,
    );
  });

  it("stores a record per delivery in the folder of its day, without the secret", async () => {
    const { root, site: running } = await boot([
      { url: receiver.url, events, secret: "top secret", label: "Mine" },
    ]);
    await running
      .use("content")
      .apply([{ op: "write", path: "02.a/default.md", content: page("A") }]);
    await until(
      async () => (await running.use("webhooks").deliveries()).items[0]?.finalStatus === "success",
    );
    const { items, total } = await running.use("webhooks").deliveries();
    assert.equal(total, 1);
    const day = new Date(items[0]?.createdAt ?? 0).toISOString().slice(0, 10);
    const folder = join(root, ".dune/admin/webhook-logs", day);
    assert.deepEqual(await readdir(folder), [`${items[0]?.id}.json`]);
    const text = await readFile(join(folder, `${items[0]?.id}.json`), "utf8");
    assert.ok(!text.includes("top secret"));
    const record = JSON.parse(text);
    assert.equal(record.endpointUrl, receiver.url);
    assert.equal(record.endpointLabel, "Mine");
    assert.equal(record.attempts[0].attemptNumber, 1);
    assert.equal(record.attempts[0].statusCode, 204);
  });

  it("never delays or fails an edit because of a receiver", async () => {
    receiver.answer = () => undefined;
    const { site: running } = await boot([{ url: receiver.url, events }]);
    const [result] = await running
      .use("content")
      .apply([{ op: "write", path: "02.a/default.md", content: page("A") }]);
    assert.equal(result?.status, "created");
    await receiver.count(1);
    assert.equal(running.use("webhooks").status().pending, 1);
    receiver.answer = (res) => res.writeHead(204).end();
    await receiver.close();
  });

  it("sends a delivery again as a new one, and rejects an unknown id", async () => {
    const { site: running } = await boot([{ url: receiver.url, events, label: "Mine" }]);
    const webhooks = running.use("webhooks");
    const first = await webhooks.test("Mine");
    assert.equal((await webhooks.outcome(first.id))?.finalStatus, "success");
    const second = await webhooks.redeliver(first.id);
    assert.equal((await webhooks.outcome(second.id))?.finalStatus, "success");
    assert.equal(second.redeliveryOf, first.id);
    assert.notEqual(second.id, first.id);
    assert.equal(receiver.received.length, 2);
    for (const id of ["01ARZ3NDEKTSV4RRFFQ69G5FAV", "../x", "", "__proto__"]) {
      await assert.rejects(webhooks.redeliver(id), { code: "ERR_WEBHOOK_UNKNOWN" });
    }
    await assert.rejects(webhooks.test("Nobody"), { code: "ERR_WEBHOOK_ENDPOINT" });
  });

  it("sends pending deliveries after a restart, with the same id", async () => {
    receiver.answer = (res, nth) => res.writeHead(nth === 1 ? 500 : 204).end();
    const first = await boot([{ url: receiver.url, events }]);
    await first.site
      .use("content")
      .apply([{ op: "write", path: "02.a/default.md", content: page("A") }]);
    await until(
      async () => (await first.site.use("webhooks").deliveries()).items[0]?.attempts.length === 1,
    );
    await first.site.close();
    const second = await boot([{ url: receiver.url, events }], { root: first.root });
    await receiver.count(2);
    await until(
      async () =>
        (await second.site.use("webhooks").deliveries()).items[0]?.finalStatus === "success",
    );
    assert.equal(
      new Set(receiver.received.map(({ headers }) => headers["x-site-delivery"])).size,
      1,
    );
    await second.close();
    site = first;
  });

  it("tries again after 1, 5 and 25 seconds", async () => {
    receiver.answer = (res) => res.writeHead(500).end();
    const now = Date.parse("2026-11-20T12:00:00Z");
    const { site: running } = await boot([{ url: receiver.url, events }], {
      clock: { now: () => now },
    });
    await running
      .use("content")
      .apply([{ op: "write", path: "02.a/default.md", content: page("A") }]);
    const jobs = running.use("jobs");
    for (const delayMs of [1_000, 5_000, 25_000]) {
      await until(async () => (await jobs.list())[0]?.runAt === now + delayMs);
      await jobs.flush("webhook");
    }
    assert.equal(receiver.received.length, 4);
  });

  it("rejects a secret whose variable is not set at startup", () => {
    const webhook = { url: "http://example.org/", events, secret: "$NOT_SET" };
    const files = { "admin.yaml": `webhooks:\n  - ${JSON.stringify(webhook)}\n` };
    return assert.rejects(bootSite({ files, plugins }), ConfigError);
  });
});
