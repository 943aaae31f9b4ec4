import assert from "node:assert/strict";
import { replayCommand } from "../../../plugins/webhooks/commands.js";
import { bootAdmin, type AdminClient, type AdminSite } from "../../support/sites/admin-site.js";
import { commandOutput } from "../../support/processes/command-output.js";
import { startReceiver, type Receiver } from "../../support/servers/webhook-receiver.js";

const PATH = "03.a/default.md";

describe("POST {admin.path}/api/webhooks/{id}/replay", () => {
  let receiver: Receiver;
  let other: Receiver;
  let site: AdminSite;
  let admin: AdminClient;
  let since = "";
  beforeEach(async () => {
    [receiver, other] = [await startReceiver(), await startReceiver()];
    const events = ["onPageCreate", "onPageDelete", "onWorkflowChange"];
    site = await bootAdmin({
      settings: {
        admin: {
          webhooks: [
            { url: receiver.url, events, label: "ci" },
            { url: other.url, events: ["onPageUpdate"], label: "other" },
            { url: other.url, events, label: "off", enabled: false },
          ],
        },
      },
    });
    admin = await site.as("admin");
    since = await site.site.context("test").changes.journal.cursor();
    const content = site.site.use("content");
    await content.apply([{ op: "write", path: PATH, content: "---\ntitle: A\n---\n" }]);
    await content.apply([{ op: "frontmatter", path: PATH, patch: { status: "archived" } }]);
    await content.apply([{ op: "delete", path: PATH }]);
    await receiver.count(3);
    await other.count(1);
  });
  afterEach(async () => {
    await site.close();
    for (const one of [receiver, other]) await one.close();
  });

  const replay = (id: string, body: object) =>
    admin.send("POST", `/admin/api/webhooks/${id}/replay`, body);
  const bodies = (from: number) =>
    receiver.received.slice(from).map(({ body }) => {
      const { event, payload } = JSON.parse(body.toString()) as Record<string, unknown>;
      return { event, payload };
    });

  it("lists the endpoints that can be named, to accounts with config.update", async () => {
    const { items } = await admin.json(200, "GET", "/admin/api/webhooks");
    const shown = items.map(({ id, label, enabled }: Record<string, unknown>) => [
      id,
      label,
      enabled,
    ]);
    assert.deepEqual(shown, [
      ["0", "ci", true],
      ["1", "other", true],
      ["2", "off", false],
    ]);
    const author = await site.as("author");
    await author.json(403, "GET", "/admin/api/webhooks");
    await author.json(403, "POST", "/admin/api/webhooks/ci/replay", { since });
  });

  for (const id of ["ci", "0"]) {
    it(`sends the events since a cursor to endpoint ${id} only, as new deliveries`, async () => {
      const answer = await replay(id, { since });
      assert.equal(answer.status, 202);
      const { events, more } = (await answer.json()) as Record<string, unknown>;
      assert.deepEqual([events, more], [3, false]);
      await receiver.count(6);
      assert.deepEqual(bodies(3), bodies(0).slice(0, 3));
      const ids = receiver.received.map(({ headers }) => headers["x-site-delivery"]);
      assert.equal(new Set(ids).size, 6);
      assert.equal(other.received.length, 1);
      const entry = (await site.audit()).find(({ event }) => event === "webhook.replay");
      assert.deepEqual([entry?.actor?.id, entry?.detail["events"]], [admin.id, 3]);
    });
  }

  it("only counts with `dryRun`", async () => {
    const answer = await replay("ci", { since, dryRun: true });
    assert.equal(answer.status, 200);
    const { events, cursor } = (await answer.json()) as { events: number; cursor: string };
    assert.equal(events, 3);
    assert.equal((await site.site.use("webhooks").deliveries()).total, 4);
    assert.ok(!(await site.audit()).some(({ event }) => event === "webhook.replay"));
    const rest = await admin.json(202, "POST", "/admin/api/webhooks/ci/replay", { since: cursor });
    assert.deepEqual(rest, { events: 0, cursor, more: false });
  });

  it("responds 409 to another endpoint, 410 to an unknown cursor, 400 to an invalid one", async () => {
    for (const [status, id, body] of [
      [409, "unknown", { since: "x" }],
      [409, "off", { since: "x" }],
      [409, "2", { since: "x" }],
      [409, "__proto__", { since: "x" }],
      [410, "ci", { since: "1-00000000" }],
      [410, "ci", { since: "" }],
      [400, "ci", {}],
      [400, "ci", { since: 1 }],
      [400, "ci", { since: "x".repeat(101) }],
    ] as const) {
      assert.equal((await replay(id, body)).status, status, `${id} ${JSON.stringify(body)}`);
    }
  });

  it("is a command too", async () => {
    const run = async (args: string[], options: Record<string, unknown>) => {
      const { out, ...printed } = commandOutput();
      const context = async () => site.site.context("webhooks");
      const input = { args, options, site: context, out, root: site.root };
      return { code: await replayCommand().run(input), ...printed };
    };
    assert.match((await run(["ci"], { since, dryRun: true })).lines[0] ?? "", /^3 events would/);
    assert.equal((await run(["ci"], { since })).code, 0);
    await receiver.count(6);
    const failed = await run(["ci"], { since: "gone" });
    assert.deepEqual([failed.code, failed.lines], [2, []]);
    assert.match(failed.errors.join("\n"), /gone.*\n {2}fix: \S/);
  });
});
