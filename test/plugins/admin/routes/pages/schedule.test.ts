import assert from "node:assert/strict";
import {
  bootAdmin,
  type AdminClient,
  type AdminSite,
} from "../../../../support/sites/admin-site.js";
import { startReceiver, type Receiver } from "../../../../support/servers/webhook-receiver.js";

const DRAFT = "02.blog/02.second/post.md";
const PUBLISHED = "02.blog/01.first/post.md";

describe("the schedule of the admin API", () => {
  let site: AdminSite;
  let editor: AdminClient;
  let receiver: Receiver;
  const clock = { at: 0, now: () => clock.at };
  beforeEach(async () => {
    clock.at = Date.parse("2026-06-01T08:00:00Z");
    receiver = await startReceiver();
    const webhooks = `webhooks:\n  - url: ${receiver.url}\n    events: [onPageUpdate]\n`;
    site = await bootAdmin({ clock, files: { "admin.yaml": webhooks } });
    editor = await site.as("editor");
  });
  afterEach(async () => {
    await site.close();
    await receiver.close();
  });

  const plan = (path: string, action: string, scheduledAt: string) =>
    editor.send("POST", "/admin/api/workflow/schedule", { path, action, scheduledAt });
  const planned = async (path = "") => {
    const address = `/admin/api/workflow/scheduled${path === "" ? "" : `/${path}`}`;
    const { items } = await editor.json(200, "GET", address);
    return items.map(
      ({ sourcePath, action, scheduledAt }: Record<string, string>) =>
        `${action} ${sourcePath} ${scheduledAt}`,
    );
  };
  const status = async (route: string) => (await site.fetch(`/api/pages${route}`)).status;

  it("publishes a draft at its time, without a restart, and emits its event then", async () => {
    const answer = await plan(`content/${DRAFT}`, "publish", "2026-06-01T12:00:00+02:00");
    assert.equal(answer.status, 201);
    const at = "2026-06-01T10:00:00.000Z";
    assert.deepEqual(await answer.json(), {
      sourcePath: DRAFT,
      action: "publish",
      scheduledAt: at,
    });
    assert.deepEqual(await planned(), [`publish ${DRAFT} ${at}`]);
    assert.equal(await status("/blog/second"), 404);
    await receiver.count(1);
    clock.at = Date.parse(at);
    assert.equal(await status("/blog/second"), 200);
    await receiver.count(2);
    const told = JSON.parse(receiver.received[1]?.body.toString() ?? "");
    assert.deepEqual([told.event, told.payload.sourcePath], ["onPageUpdate", DRAFT]);
    assert.deepEqual(await planned(DRAFT), []);
  });

  it("unpublishes a page at its time", async () => {
    assert.equal((await plan(PUBLISHED, "unpublish", "2026-06-02T00:00:00Z")).status, 201);
    assert.deepEqual(await planned(PUBLISHED), [`unpublish ${PUBLISHED} 2026-06-02T00:00:00.000Z`]);
    assert.equal(await status("/blog/first"), 200);
    clock.at = Date.parse("2026-06-02T00:00:00Z");
    assert.equal(await status("/blog/first"), 404);
    const { raw } = await editor.json(200, "GET", `/admin/api/pages/${PUBLISHED}`);
    assert.match(raw, /^---\n# a comment\ntitle: First\n/);
  });

  it("removes a schedule: an unpublished page becomes a draft", async () => {
    await plan(DRAFT, "publish", "2026-06-01T10:00:00Z");
    await plan(DRAFT, "unpublish", "2026-06-03T10:00:00Z");
    const drop = (action: string) =>
      editor.send("DELETE", `/admin/api/workflow/schedule/${DRAFT}?action=${action}`);
    assert.equal((await drop("unpublish")).status, 200);
    assert.equal((await drop("unpublish")).status, 404);
    assert.equal((await drop("publish")).status, 200);
    assert.deepEqual(await planned(), []);
    clock.at = Date.parse("2026-06-01T11:00:00Z");
    assert.equal(await status("/blog/second"), 404);
    const { frontmatter } = await editor.json(200, "GET", `/admin/api/pages/${DRAFT}`);
    assert.deepEqual(frontmatter, { title: "Second", status: "draft" });
  });

  it("rejects an impossible schedule", async () => {
    const later = "2026-06-05T00:00:00Z";
    const refusals: [string, string, string, number][] = [
      [DRAFT, "publish", "2026-06-01T08:00:00Z", 400],
      [DRAFT, "publish", "tomorrow", 400],
      [DRAFT, "publish", "2026-06-05", 400],
      [DRAFT, "vanish", later, 400],
      [DRAFT, "unpublish", later, 400],
      [PUBLISHED, "publish", later, 400],
      ["none.md", "publish", later, 404],
      ["../../site.yaml", "publish", later, 404],
    ];
    for (const [path, action, at, expected] of refusals) {
      const answer = await plan(path, action, at);
      assert.equal(answer.status, expected, `${path} ${action} ${at}`);
    }
    await plan(DRAFT, "publish", later);
    assert.equal((await plan(DRAFT, "unpublish", later)).status, 400);
    await plan(DRAFT, "unpublish", "2026-06-06T00:00:00Z");
    assert.equal((await plan(DRAFT, "publish", "2026-06-07T00:00:00Z")).status, 400);
  });

  it("requires pages.publish", async () => {
    const author = await site.as("author");
    const body = { path: DRAFT, action: "publish", scheduledAt: "2026-06-05T00:00:00Z" };
    assert.equal((await author.send("POST", "/admin/api/workflow/schedule", body)).status, 403);
    const path = `/admin/api/workflow/schedule/${DRAFT}?action=publish`;
    assert.equal((await author.send("DELETE", path)).status, 403);
    assert.equal((await author.send("GET", "/admin/api/workflow/scheduled")).status, 200);
  });
});
