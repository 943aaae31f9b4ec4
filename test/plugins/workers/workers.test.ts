import assert from "node:assert/strict";
import { once } from "node:events";
import { readFile, readdir, rm } from "node:fs/promises";
import { join } from "node:path";
import { atomicWrite } from "#kernel";
import { makeRoot } from "../../support/sites/config-root.js";
import { useFolder } from "../../support/folder.js";
import { startProcess } from "../../support/processes/site-process.js";
import {
  startWorkers,
  type WorkerClient,
  type WorkersServer,
  type WorkersSite,
} from "../../support/processes/site-workers.js";
import { until } from "../../support/until.js";
import { startReceiver, type Receiver } from "../../support/servers/webhook-receiver.js";

const HOME = "01.home/default.md";
const PAGE = `/admin/api/pages/${HOME}`;
const textOf = (title: string): string => `---\ntitle: ${title}\n---\n`;

const both = async (from: WorkersServer): Promise<[WorkerClient, WorkerClient]> => {
  const [a, b] = await from.clients();
  assert.ok(a !== undefined && b !== undefined, "one worker does not serve");
  return [a, b];
};
const titleAt = async (client: WorkerClient): Promise<unknown> =>
  JSON.parse((await client.send("GET", "/api/pages/")).text).title;

describe("the workers of one server", function () {
  this.timeout(240_000);
  let root = "";
  let server: WorkersServer;
  before(async () => {
    root = await makeRoot({});
    const system = "server: { rate_limit: false }\nmetrics: { enabled: true }\n";
    server = await startWorkers({ root, system });
  });
  after(async () => {
    await server.stop("SIGKILL");
    await rm(root, { recursive: true, force: true, maxRetries: 5 });
  });

  it("show a file that changes on the disk", async () => {
    const [a, b] = await both(server);
    await atomicWrite(join(root, "content", HOME), textOf("Edited"));
    await until(async () => (await titleAt(a)) === "Edited" && (await titleAt(b)) === "Edited");
  });

  it("show a picture that is added to, or deleted from, a page on the disk", async () => {
    const clients = await both(server);
    const picture = join(root, "content/01.home/pic.png");
    const mediaAt = async (client: WorkerClient): Promise<unknown[]> =>
      JSON.parse((await client.send("GET", "/api/pages/")).text).media;
    for (const count of [0, 1, 0]) {
      if (count === 1) await atomicWrite(picture, "x");
      else await rm(picture, { force: true });
      for (const client of clients) {
        await until(async () => (await mediaAt(client)).length === count);
      }
    }
  });

  it("let one of two saves of the same version through", async () => {
    const [a, b] = await both(server);
    for (let round = 0; round < 10; round += 1) {
      const { headers } = await a.send("GET", PAGE, { headers: server.auth });
      const save = (client: WorkerClient, name: string): Promise<number> =>
        client
          .send("PUT", PAGE, {
            headers: { ...server.auth, "if-match": headers.etag ?? "" },
            body: { content: textOf(`${name}${round}`) },
          })
          .then(({ status }) => status);
      const statuses = await Promise.all([save(a, "a"), save(b, "b")]);
      assert.deepEqual(statuses.toSorted(), [200, 409], `round ${round}`);
    }
  });

  it("report metrics together", async () => {
    const [a, b] = await both(server);
    await a.send("GET", "/api/pages");
    await b.send("GET", "/api/pages");
    const { text } = await a.send("GET", "/metrics");
    for (const id of [a.id, b.id]) {
      const count = `site_http_requests_total{worker="${id}",route="/api/pages"`;
      assert.ok(text.includes(count), `${count} in:\n${text}`);
    }
    assert.equal(text.split("# TYPE site_http_requests_total counter").length, 2);
  });
});

describe("the workers of a server", function () {
  this.timeout(240_000);
  const folder = useFolder();
  let server: WorkersServer | null = null;
  let receiver: Receiver;
  beforeEach(async () => void (receiver = await startReceiver()));
  afterEach(async () => {
    await server?.stop("SIGKILL");
    server = null;
    await receiver.close();
  });
  const start = async (site: Partial<WorkersSite> = {}): Promise<WorkersServer> =>
    (server = await startWorkers({ root: folder.path, ...site }));
  it("load what the first one saved, show what another one saved, send one webhook, record it", async () => {
    const started = await start({ webhook: receiver.url });
    const [a, b] = await both(started);
    const events = (part: string): readonly string[] =>
      started.text().match(new RegExp(`${part}\\.(?:loaded|indexed|built)`, "g")) ?? [];
    const content = ["content.indexed", "content.loaded", "content.indexed"];
    assert.deepEqual(events("content"), content, started.text());
    await until(() => events("search").length > 1);
    assert.deepEqual(events("search"), ["search.built", "search.loaded"], started.text());
    await until(async () => {
      const { all } = (await a.health()).workers;
      const isReady = all.length === 2 && all.every(({ state }) => state === "ready");
      return isReady && all.filter(({ isLeader }) => isLeader).length === 1;
    });
    for (const [nth, [writer, reader]] of [[a, b] as const, [b, a] as const].entries()) {
      const title = `Saved ${nth}`;
      const body = { content: textOf(title) };
      const saved = await writer.send("PUT", PAGE, { headers: started.auth, body });
      assert.equal(saved.status, 200, saved.text);
      assert.equal(await titleAt(reader), title);
      await receiver.count(nth + 1);
    }
    const versions = await readdir(join(folder.path, ".dune/admin/history", HOME));
    assert.equal(versions.length, 3, "the first text, and both saves");
    assert.equal(receiver.received.length, 2);
    assert.deepEqual(await readdir(join(folder.path, ".dune/admin/history-pending")), []);
  });

  it("count requests together", async () => {
    const clients = await both(await start({ system: "server: { rate_limit: 20 }\n" }));
    let allowed = 0;
    for (let at = 0; at < 30; at += 1) {
      const { status } = await (clients[at % 2] ?? clients[0]).send("GET", "/api/pages?limit=1");
      if (status === 200) allowed += 1;
    }
    assert.equal(allowed, 20);
  });

  it("are replaced when they need more memory than allowed", async () => {
    const started = await start({ system: "server: { worker_memory_mb: 64 }\n" });
    await started.printed(/workers\.replaced.*memory/);
    assert.equal((await fetch(`${started.url}/`)).status, 200);
  });

  for (const [which, at] of [
    ["the leader", 0],
    ["another one", 1],
  ] as const) {
    it(`go on when ${which} is killed, and replace it`, async () => {
      const started = await start({ webhook: receiver.url });
      const clients = await both(started);
      const [killed, left] = at === 0 ? clients : [clients[1], clients[0]];
      process.kill(killed.pid, "SIGKILL");
      await until(async () =>
        (await left.health()).workers.all.every(({ id }) => id !== killed.id),
      );
      for (let nth = 0; nth < 20; nth += 1) {
        assert.equal(
          (await fetch(`${started.url}/`, { headers: { connection: "close" } })).status,
          200,
        );
      }
      const body = { content: textOf("After") };
      const saved = await left.send("PUT", PAGE, { headers: started.auth, body });
      assert.equal(saved.status, 200, saved.text);
      await receiver.count(1);
      await until(async () => {
        const { all } = (await left.health()).workers;
        return all.length === 2 && all.every(({ state }) => state === "ready");
      });
      const [a, b] = await both(started);
      assert.equal(await titleAt(a), "After");
      assert.equal(await titleAt(b), "After");
      assert.equal(receiver.received.length, 1);
    });
  }

  it("leave no connection open that one had not taken when it was killed", async () => {
    const started = await start();
    const [, b] = await both(started);
    process.kill(b.pid, "SIGSTOP");
    const ended = { status: 0, error: 0 };
    const ask = (): Promise<unknown> =>
      fetch(`${started.url}/`, { headers: { connection: "close" } }).then(
        () => (ended.status += 1),
        () => (ended.error += 1),
      );
    const asked = Array.from({ length: 6 }, ask);
    // The primary process hands one connection at a time to a worker: the stopped one has one.
    await until(() => ended.status === 5);
    assert.equal(ended.error, 0);
    process.kill(b.pid, "SIGKILL");
    await Promise.all(asked);
    assert.deepEqual(ended, { status: 5, error: 1 });
  });

  it("finish open requests before they end", async () => {
    const started = await start({
      files: {
        "plugins/slow.ts": `export default {
  name: "slow", version: "1.0.0",
  setup(site) {
    site.http.use("pages", async (req, res, next) => {
      if (req.ctx.path !== "/slow") return next();
      site.log.info("slow.started");
      await new Promise((done) => setTimeout(done, 1500));
      res.end("whole");
    });
  },
};`,
        "site.yaml":
          "title: T\nhealth_token: 0123456789abcdef\nplugins: { slow: { src: ./plugins/slow.ts } }\n",
      },
    });
    const [a, b] = await both(started);
    const open = [a.send("GET", "/slow"), b.send("GET", "/slow")];
    await until(() => started.text().split("slow.started").length === 3);
    const stopped = started.stop();
    for (const { status, text } of await Promise.all(open)) {
      assert.deepEqual([status, text], [200, "whole"]);
    }
    assert.equal(await stopped, 0);
  });

  it("are replaced one by one on SIGHUP, without a failed request", async () => {
    const started = await start();
    const before = (await started.clients()).map(({ id }) => id);
    started.child.kill("SIGHUP");
    let isDone = false;
    while (!isDone) {
      const response = await fetch(`${started.url}/`, { headers: { connection: "close" } });
      assert.equal(response.status, 200);
      isDone = started.text().split("workers.replaced").length === 3;
    }
    await until(async () => {
      const [a] = await started.clients(1);
      const all = (await a?.health())?.workers.all ?? [];
      return all.length === 2 && all.every(({ id }) => !before.includes(id));
    });
  });

  it("are ended and replaced when they are blocked", async () => {
    const started = await start({ system: "server: { worker_silence_seconds: 2 }\n" });
    const [a, b] = await both(started);
    process.kill(b.pid, "SIGSTOP");
    await started.printed(/workers\.blocked/);
    await until(async () => {
      const { all } = (await a.health()).workers;
      return all.length === 2 && all.every(({ id, state }) => id !== b.id && state === "ready");
    });
  });

  it("share a root, which no other server may use", async () => {
    const started = await start();
    for (const more of [[], ["--workers", "2"]]) {
      const other = startProcess(["serve", "--root", folder.path, "--port", "0", ...more]);
      assert.equal(await other.ended(), 1);
      assert.match(other.text(), new RegExp(`process ${started.child.pid} serves this site root`));
    }
  });

  it("end with the error of the first one when that cannot start", async () => {
    await atomicWrite(join(folder.path, "site.yaml"), "titel: T\n");
    const run = startProcess(["serve", "--root", folder.path, "--port", "0", "--workers", "2"]);
    assert.equal(await run.ended(), 1);
    assert.match(run.text(), /titel/);
    const wrong = startProcess(["serve", "--root", folder.path, "--workers", "many"]);
    assert.equal(await wrong.ended(), 2);
    assert.match(wrong.text(), /--workers is "many"/);
  });

  it("end with their primary process", async () => {
    const started = await start();
    const pids = (await started.clients()).map(({ pid }) => pid);
    started.child.kill("SIGKILL");
    await once(started.child, "exit");
    await until(async () => (await Promise.all(pids.map(isRunning))).every((one) => !one));
  });
});

async function isRunning(pid: number): Promise<boolean> {
  const stat = await readFile(`/proc/${pid}/stat`, "utf8").catch(() => "");
  return stat !== "" && !/\) [ZX] /.test(stat);
}
