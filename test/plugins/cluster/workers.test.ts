// Two servers with two workers each, on one content folder: four nodes of one cluster.
import assert from "node:assert/strict";
import { mkdir, readdir, symlink } from "node:fs/promises";
import { join } from "node:path";
import { z } from "zod";
import { atomicWrite } from "#kernel";
import { useFolder } from "../../support/folder.js";
import { usePostgres } from "../../support/services.js";
import { startProcess } from "../../support/processes/site-process.js";
import {
  startWorkers,
  type WorkerClient,
  type WorkersServer,
} from "../../support/processes/site-workers.js";
import { until } from "../../support/until.js";
import { startReceiver, type Receiver } from "../../support/servers/webhook-receiver.js";

const HOME = "01.home/default.md";
const PAGE = `/admin/api/pages/${HOME}`;
const textOf = (title: string): string => `---\ntitle: ${title}\n---\n`;
const statusShape = z.object({
  leader: z.string().nullable(),
  nodes: z.array(z.object({ name: z.string(), pid: z.number(), digest: z.string() })),
});

interface Server extends WorkersServer {
  root: string;
}

describe("servers with workers in a cluster", function () {
  this.timeout(240_000);
  const folder = useFolder();
  let url = "";
  let receiver: Receiver;
  const servers: Server[] = [];
  beforeEach(async function () {
    url = (await usePostgres(this)).url;
    receiver = await startReceiver();
  });
  afterEach(async () => {
    for (const server of servers.splice(0)) await server.stop("SIGKILL");
    await receiver.close();
  });

  async function start(name: string): Promise<Server> {
    const root = join(folder.path, name);
    await mkdir(root);
    await mkdir(join(folder.path, "content"), { recursive: true });
    await symlink(join(folder.path, "content"), join(root, "content"));
    const started = await startWorkers({
      root,
      webhook: receiver.url,
      env: { SITE_DB_URL: url },
      system: `cluster: { enabled: true, node: ${name} }\n`,
    });
    const server = { ...started, root };
    servers.push(server);
    return server;
  }

  /** The servers, and a connection to each of their workers. */
  async function startBoth() {
    const [a, b] = [await start("a"), await start("b")];
    const clients = [await a.clients(), await b.clients()];
    const writers = [a, b].flatMap(({ auth }, at) =>
      (clients[at] ?? []).map((client) => ({ client, auth })),
    );
    assert.equal(writers.length, 4, "each worker of each server serves");
    return { a, b, writers };
  }

  async function status({ root }: Server) {
    const args = ["cluster:status", "--json", "--root", root];
    const run = startProcess(args, { env: { SITE_DB_URL: url } });
    assert.equal(await run.ended(), 0, run.text());
    return statusShape.parse(JSON.parse(run.text().slice(run.text().indexOf("{"))));
  }

  const titleAt = async (client: WorkerClient): Promise<unknown> =>
    JSON.parse((await client.send("GET", "/api/pages/")).text).title;
  const delivered = (): string[] =>
    receiver.received.map(
      ({ body }) =>
        z.object({ payload: z.object({ title: z.string() }) }).parse(JSON.parse(String(body)))
          .payload.title,
    );

  it("show what any worker saves or finds on all, announce it once, and record it", async () => {
    const { a, b, writers } = await startBoth();
    const { nodes } = await status(a);
    assert.deepEqual(
      nodes.map(({ name }) => name),
      ["a:1", "a:2", "b:1", "b:2"],
    );
    assert.equal(new Set(nodes.map(({ digest }) => digest)).size, 1);
    const titles: string[] = [];
    for (const [nth, { client, auth }] of [...writers, ...writers].entries()) {
      const title = `Saved ${nth}`;
      titles.push(title);
      const saved = await client.send("PUT", PAGE, {
        headers: auth,
        body: { content: textOf(title) },
      });
      assert.equal(saved.status, 200, saved.text);
      for (const reader of writers)
        await until(async () => (await titleAt(reader.client)) === title);
    }
    await atomicWrite(join(folder.path, "content", HOME), textOf("Found"));
    for (const { client } of writers) await until(async () => (await titleAt(client)) === "Found");
    // A second delivery would have arrived with that of the next save.
    const [first] = writers;
    await first?.client.send("PUT", PAGE, {
      headers: first.auth,
      body: { content: textOf("Last") },
    });
    await until(() => delivered().includes("Last"));
    assert.deepEqual(delivered().toSorted(), ["Found", "Last", ...titles]);
    const versions = await Promise.all(
      [a, b].map(({ root }) => readdir(join(root, ".dune/admin/history", HOME))),
    );
    // The first text, eight saves, the file and the last save; the first text is a version of both servers.
    assert.ok(versions.flat().length >= 11, versions.flat().join(" "));
  });

  it("go on when the worker that leads is killed, and let its successor join", async () => {
    const { a, b, writers } = await startBoth();
    const { nodes, leader } = await status(a);
    const leading = nodes.find(({ name }) => name === leader);
    assert.ok(leading !== undefined);
    process.kill(leading.pid, "SIGKILL");
    // A connection that is passed to a dead worker is never answered.
    await until(() => !isRunning(leading.pid));
    const left = writers.filter(({ client }) => client.pid !== leading.pid);
    for (const [nth, { client, auth }] of left.entries()) {
      const body = { content: textOf(`After ${nth}`) };
      await until(
        async () => (await client.send("PUT", PAGE, { headers: auth, body })).status === 200,
      );
    }
    await until(() => delivered().includes("After 2"));
    await until(async () => {
      const { nodes: now, leader: next } = await status(b);
      return now.length === 4 && next !== null && next !== leader;
    });
    for (const server of [a, b]) {
      for (const client of await server.clients()) {
        await until(async () => (await titleAt(client)) === "After 2");
      }
    }
    assert.equal(new Set(delivered()).size, delivered().length, "a save was announced twice");
  });
});

function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}
