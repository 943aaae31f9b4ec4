import assert from "node:assert/strict";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import pg from "pg";
import { PostgresNodes, type NodeOptions } from "../../support/postgres-nodes.js";
import { usePostgres } from "../../support/services.js";
import { startServer } from "../../support/site-process.js";
import { startTcpProxy } from "../../support/tcp-proxy.js";
import { until } from "../../support/until.js";
import { startReceiver, type Receiver } from "../../support/webhook-receiver.js";

const PAGE = "01.home/default.md";
const text = (title: string): string => `---\ntitle: ${title}\n---\nHello.\n`;
const idOf = (receiver: Receiver, nth: number): string =>
  String(receiver.received[nth]?.headers["x-site-delivery"]);

describe("nodes that share PostgreSQL", function () {
  this.timeout(60_000);
  let url = "";
  let receiver: Receiver;
  const nodes = new PostgresNodes();
  beforeEach(async function () {
    url = (await usePostgres(this)).url;
    receiver = await startReceiver();
    await nodes.open();
  });
  afterEach(async () => {
    await nodes.close();
    await receiver.close();
  });

  it("send one webhook for a save, whichever node it was made on, and list its job on both", async () => {
    const a = await nodes.boot("a", url, { hook: receiver.url });
    const b = await nodes.boot("b", url, { hook: receiver.url });
    receiver.answer = (res) => void res.writeHead(500).end();
    for (const [path, node] of Object.entries({ "02.a/default.md": a, "03.b/default.md": b })) {
      const content = node.site.use("content");
      await content.apply([{ op: "write", path, content: text(path) }]);
    }
    await receiver.count(2);
    const jobsOn = async ({ site }: typeof a) =>
      (await site.context("test").jobs.list()).map(({ id }) => id);
    const sent = receiver.received.map((_, nth) => idOf(receiver, nth));
    const ids = [...new Set(sent)].toSorted();
    assert.equal(ids.length, 2);
    assert.deepEqual(await jobsOn(a), ids);
    assert.deepEqual(await jobsOn(b), ids);
  });

  it("take over the jobs of a killed node within five seconds, with the same delivery id", async () => {
    receiver.answer = () => undefined;
    const root = await nodes.prepare("a", url, { hook: receiver.url });
    const killed = await startServer(root, { env: { SITE_DB_URL: url } });
    await writeFile(join(root, "content", PAGE), text("Harbour"));
    await receiver.count(1, 20_000);
    const b = await nodes.boot("b", url, { hook: receiver.url });
    assert.equal(b.site.context("test").jobs.isOwner, false);
    receiver.answer = (res) => void res.writeHead(204).end();
    killed.child.kill("SIGKILL");
    await receiver.count(2, 5_000);
    assert.equal(idOf(receiver, 1), idOf(receiver, 0));
    await killed.ended();
  });

  it("serve pages while the database is away, and respond 503 to what needs it", async () => {
    const proxy = await startTcpProxy(url);
    const node = await nodes.boot("a", proxy.url, { hook: receiver.url });
    await proxy.cut();
    assert.equal((await node.fetch("/api/pages/")).status, 200);
    const content = node.site.use("content");
    const save = () => content.apply([{ op: "write", path: PAGE, content: text("Later") }]);
    await assert.rejects(save(), {
      ...{ code: "ERR_POSTGRES_DOWN", status: 503, headers: { "Retry-After": "5" } },
    });
    assert.equal(content.generation().bySource.get(PAGE)?.title, "Home");
    await proxy.restore();
    await until(async () => {
      const saved = await save().catch(() => null);
      return saved !== null;
    });
    await receiver.count(1);
    await proxy.close();
  });

  describe("do not start", () => {
    const refused = async (at: string, code: string, options: NodeOptions = {}): Promise<void> => {
      await assert.rejects(nodes.boot("refused", at, options), (error: Error) => {
        assert.ok("code" in error && "fix" in error);
        assert.equal(error.code, code);
        assert.ok(typeof error.fix === "string" && error.fix.length > 10);
        assert.doesNotMatch(`${error.message} ${error.fix}`, /site-test|wrong-secret/);
        return true;
      });
    };
    const changed = (change: (url: URL) => void): string => {
      const other = new URL(url);
      change(other);
      return other.href;
    };

    it("with a wrong password", () =>
      refused(
        changed((other) => (other.password = "wrong-secret")),
        "ERR_POSTGRES_LOGIN",
      ));

    it("with a database that does not exist", () =>
      refused(
        changed((other) => (other.pathname = "/missing")),
        "ERR_POSTGRES_LOGIN",
      ));

    it("while nothing listens at the address", () =>
      refused(
        changed((other) => (other.port = "1")),
        "ERR_POSTGRES_UNREACHABLE",
      ));

    it("with an address of another kind", () =>
      refused("mysql://localhost/site", "ERR_POSTGRES_URL"));

    it("on the database of another site", async () => {
      await nodes.boot("a", url);
      await refused(url, "ERR_POSTGRES_SITE", { settings: { site: { title: "Another" } } });
    });

    it("on tables of a newer version", async () => {
      await (await nodes.boot("a", url)).close();
      const client = new pg.Client({ connectionString: url });
      await client.connect();
      await client.query("insert into site_shared_migrations values ('999-later', '2030-01-01')");
      await refused(url, "ERR_DATABASE_NEWER");
      const { rows } = await client.query(
        "select pid from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()",
      );
      assert.deepEqual(rows, [], "the refused node left connections");
      await client.end();
    });
  });
});
