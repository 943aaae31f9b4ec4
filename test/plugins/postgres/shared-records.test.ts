import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import type { TestSite } from "../../support/sites/boot-site.js";
import { signIn } from "../../support/sites/admin-site.js";
import { JobNodes } from "../../support/suites/job-nodes.js";
import { usePostgres } from "../../support/services.js";
import { startTcpProxy, type TcpProxy } from "../../support/servers/tcp-proxy.js";
import { until } from "../../support/until.js";
import { startReceiver, type Receiver } from "../../support/servers/webhook-receiver.js";

const PAGE = "01.home/default.md";

describe("nodes that share records in PostgreSQL", () => {
  let proxy: TcpProxy;
  let receiver: Receiver;
  let a: TestSite;
  let b: TestSite;
  const nodes = new JobNodes();
  beforeEach(async function () {
    proxy = await startTcpProxy((await usePostgres(this)).url);
    receiver = await startReceiver();
    await nodes.open();
    const system = { jobs: { engine: "files" }, records: { store: "postgres" } };
    const options = { hook: receiver.url, settings: { system } };
    a = await nodes.boot("a", proxy.url, options);
    b = await nodes.boot("b", proxy.url, options);
  });
  afterEach(async () => {
    await proxy.restore();
    await nodes.close();
    await receiver.close();
    await proxy.close();
  });

  const makeToken = (node: TestSite) =>
    node.site.use("admin").tokens.create({
      name: "a",
      permissions: ["pages.read", "users.manage"],
      userId: null,
      expiresAt: null,
    });
  const get = (node: TestSite, path: string, token: string) =>
    node.fetch(path, { headers: { authorization: `Bearer ${token}` } });
  const statusOn = async (node: TestSite, token: string): Promise<number> =>
    (await get(node, "/admin/api/pages", token)).status;

  it("accept a token of the other node at once, and refuse it once that one revoked it", async () => {
    const { token, secret } = await makeToken(a);
    assert.deepEqual([await statusOn(a, secret), await statusOn(b, secret)], [200, 200]);
    assert.equal((await b.site.use("admin").tokens.list())[0]?.id, token.id);
    await a.site.use("admin").tokens.revoke(token.id);
    assert.deepEqual([await statusOn(b, secret), await statusOn(a, secret)], [401, 401]);
  });

  it("list audit entries, deliveries and searches of both, with the node", async () => {
    const { secret } = await makeToken(a);
    for (const [nth, node] of [a, b].entries()) {
      node.site.use("admin").audit({ event: "test.event", detail: { nth, text: "nul \0 \ud800" } });
      const path = `0${nth + 2}.page/default.md`;
      await node.site
        .use("content")
        .apply([{ op: "write", path, content: "---\ntitle: x\n---\n" }]);
      await node.fetch("/api/search?q=harbour");
    }
    await receiver.count(2);
    for (const node of [a, b]) {
      const bodyOf = async (path: string) => (await get(node, path, secret)).json();
      await until(async () => (await bodyOf("/admin/api/audit?event=test.event")).total === 2);
      const { entries } = await bodyOf("/admin/api/audit?event=test.event");
      assert.equal(new Set(entries.map((one: { node: string }) => one.node)).size, 2);
      await until(async () => {
        const { items } = await bodyOf("/admin/api/webhooks/deliveries");
        const sent = items.filter((one: { finalStatus: string }) => one.finalStatus === "success");
        return new Set(sent.map((one: { node: string }) => one.node)).size === 2;
      });
      await until(async () => (await bodyOf("/admin/api/search/analytics")).totalSearches === 2);
    }
  });

  it("restore on one what was deleted on the other", async () => {
    const [editor, other] = await Promise.all([
      signIn(a, "editor", "ines"),
      signIn(b, "editor", "jo"),
    ]);
    const path = "02.page/default.md";
    const content = "---\ntitle: Page\n---\nText.\n";
    await a.site.use("content").apply([{ op: "write", path, content }]);
    const { trashId } = await editor.json(200, "DELETE", `/admin/api/pages/${path}`);
    const { items } = await other.json(200, "GET", "/admin/api/trash");
    assert.deepEqual([items[0]?.id, items[0]?.title], [trashId, "Page"]);
    await other.json(200, "POST", "/admin/api/trash", { id: trashId });
    assert.equal(await readFile(join(b.root, "content", path), "utf8"), content);
    assert.equal((await editor.json(200, "GET", "/admin/api/trash")).total, 0);
  });

  for (const fault of ["cut", "freeze"] as const) {
    it(`respond 503 to tokens and writes, and serve pages, while the database is gone (${fault})`, async () => {
      const { secret } = await makeToken(a);
      await proxy[fault]();
      const answer = await get(b, "/admin/api/pages", secret);
      assert.deepEqual([answer.status, answer.headers.get("retry-after")], [503, "5"]);
      assert.equal((await get(b, "/api/pages?limit=1", secret)).status, 200);
      assert.equal((await b.fetch("/api/pages/")).status, 200);
      await assert.rejects(makeToken(b), { status: 503, headers: { "Retry-After": "5" } });
      const content = "---\ntitle: Lost\n---\n";
      const save = () => b.site.use("content").apply([{ op: "write", path: PAGE, content }]);
      await assert.rejects(save(), { status: 503 });
      a.site.use("admin").audit({ event: "while.down" });
      const isNamed = () =>
        b.site
          .use("health")
          .problems()
          .some(({ part }) => part === "postgres");
      await until(async () => {
        await statusOn(b, secret);
        return isNamed();
      });
      await proxy.restore();
      await until(async () => (await statusOn(b, secret)) === 200);
      await until(async () => {
        a.site.use("admin").audit({ event: "after" });
        const audit = await get(a, "/admin/api/audit?event=while.down", secret);
        return audit.status === 200 && (await audit.json()).total === 1;
      });
      assert.equal(isNamed(), false);
    });

    it(`respond 503 with Retry-After to the panel where it shows records, and serve the rest (${fault})`, async () => {
      const admin = await signIn(a, "admin", "admin-user");
      await proxy[fault]();
      const shown = [
        "/admin/api/audit",
        "/admin/api/tokens",
        "/admin/api/webhooks/deliveries",
        "/admin/api/search/analytics",
      ];
      for (const path of shown) {
        const answer = await admin.send("GET", path);
        assert.deepEqual(
          [path, answer.status, answer.headers.get("retry-after")],
          [path, 503, "5"],
        );
      }
      for (const path of ["/admin", "/admin/api/pages", "/admin/api/me"]) {
        assert.equal((await admin.send("GET", path)).status, 200, path);
      }
      for (const path of ["/api/pages", "/api/search?q=hello", "/health/ready"]) {
        assert.equal((await a.fetch(path)).status, 200, path);
      }
      await proxy.restore();
      await until(async () => (await admin.send("GET", "/admin/api/audit")).status === 200);
    });
  }
});
