import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { mkdir, mkdtemp, readdir, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { isDeepStrictEqual } from "node:util";
import { z } from "zod";
import { isTemporary } from "#lib/files";
import { rounds } from "../../support/rounds.js";
import { startServer, type SiteProcess } from "../../support/processes/site-process.js";
import {
  startWorkers,
  type WorkerClient,
  type WorkersServer,
  writeSite,
} from "../../support/processes/site-workers.js";
import {
  bootRoot,
  FILES,
  OPERATIONS,
  REQUESTS,
  type StepClient,
} from "../../support/processes/steps/operations.js";
import { usePostgres } from "../../support/services.js";
import { useFolder } from "../../support/folder.js";
import { until } from "../../support/until.js";

const PROGRAM = join(import.meta.dirname, "../../support/processes/steps/step-process.ts");
const said = z.object({ status: z.number(), prepared: z.string(), count: z.number() });

/** Path to content of what a visitor or an editor sees: pages, media, records, configuration. */
function seen(root: string): Record<string, string> {
  const names = ["content", "site.yaml", "flex-objects"];
  const files = readdirSync(root, { recursive: true, withFileTypes: true }).filter(
    (entry) => entry.isFile() && !isTemporary(entry.name),
  );
  const all = files.map((entry) => join(entry.parentPath, entry.name).slice(root.length + 1));
  const shown = all.filter(
    (path) => names.includes(path.split("/")[0] ?? "") && !path.startsWith("content/.steps/"),
  );
  return Object.fromEntries(
    shown.toSorted().map((path) => [path, readFileSync(join(root, path), "utf8")]),
  );
}

/** A folder without a journal is removed later: its step may be about to begin. */
function openJournals(root: string): string[] {
  const files = readdirSync(root, { recursive: true });
  return files.map(String).filter((path) => path.endsWith("journal.json"));
}

describe("changes of several files, killed at every file-system call", function () {
  this.timeout(1_200_000);
  let folder = "";
  beforeEach(async () => void (folder = await mkdtemp(join(tmpdir(), "site-test-"))));
  afterEach(() => rmSync(folder, { recursive: true, force: true, maxRetries: 5 }));

  /** Makes the change in a process that copies its root at each call, and is killed. */
  async function copies(name: string): Promise<z.infer<typeof said> & { roots: string[] }> {
    const root = join(folder, "root");
    for (const [path, data] of Object.entries(FILES)) {
      await mkdir(dirname(join(root, path)), { recursive: true });
      await writeFile(join(root, path), data);
    }
    const target = join(folder, "copies");
    const child = spawn(
      process.execPath,
      ["--import=tsx", "--conditions=source", PROGRAM, root, target, name],
      { stdio: ["ignore", "pipe", "inherit"] },
    );
    let text = "";
    child.stdout.on("data", (chunk: Buffer) => (text += String(chunk)));
    await once(child, "close");
    assert.equal(child.signalCode, "SIGKILL");
    const roots = (await readdir(target)).toSorted().map((one) => join(target, one));
    return { ...said.parse(JSON.parse(text)), roots };
  }

  for (const [name, { send }] of Object.entries(OPERATIONS)) {
    it(`${name}: whole before or whole after, and done when it is sent again`, async () => {
      const { status, prepared, roots } = await copies(name);
      assert.equal(status, 200);
      const [first = "", last = ""] = [roots[0], roots.at(-1)];
      const [before, after] = [seen(first), seen(last)];
      assert.notDeepEqual(before, after);
      let finished = 0;
      const every = Math.ceil(roots.length / rounds(roots.length));
      for (const [at, root] of roots.entries()) {
        if (at % every !== 0 && at !== roots.length - 1) continue;
        const { site, client } = await bootRoot(root);
        try {
          const now = seen(root);
          const isAfter = isDeepStrictEqual(now, after);
          if (isAfter) finished += 1;
          // An import adds the redirects of all its pages at its end.
          const whole = { ...after, "site.yaml": before["site.yaml"] };
          const isWithoutRedirects = name === "import" && isDeepStrictEqual(now, whole);
          if (!isAfter && !isWithoutRedirects) {
            assert.deepEqual(now, before, `call ${at} of ${roots.length}`);
          }
          const health = site.site.use("health").problems();
          assert.deepEqual(health, [], `call ${at}`);
          const again = await send(site, client, prepared);
          // What has been done already is not there to be done.
          assert.ok(again === 200 || (isAfter && again === 404), `call ${at}: ${again}`);
          assert.deepEqual(seen(root), after, `call ${at}: again`);
          assert.deepEqual(openJournals(root), []);
        } finally {
          await site.close();
        }
      }
      assert.ok(finished > 0 && finished < roots.length && roots.length > 40);
    });
  }
});

/** The calls at which a worker is killed; each operation makes more than forty. One of them, or all with ROUNDS=all. */
const CALLS = [8, 22, 36];
const { "site.yaml": _own, ...SHARED_FILES } = FILES;
const hasAllRounds = process.env["ROUNDS"] === "all";
const KILL = new URL("../../support/processes/steps/kill-at-call.mjs", import.meta.url);

describe("changes of several files, with a worker killed in them", function () {
  this.timeout(1_200_000);
  const folder = useFolder();
  let server: WorkersServer | null = null;
  afterEach(async () => {
    await server?.stop("SIGKILL");
    server = null;
  });

  /** The requests of a client whose connection stays with one worker. */
  function clientOf({ auth }: WorkersServer, worker: WorkerClient | undefined): StepClient {
    assert.ok(worker);
    const send: StepClient["send"] = async (method, path, body) => {
      const { status, text } = await worker.send(method, path, { headers: auth, body });
      return new Response(text, { status });
    };
    return {
      send,
      json: async (status, ...request) => {
        const response = await send(...request);
        assert.equal(response.status, status);
        return response.json();
      },
    };
  }

  /** Both workers, the one that leads first. */
  async function workersOf({ clients }: WorkersServer): Promise<WorkerClient[]> {
    let workers: WorkerClient[] = [];
    // A connection may have been given to the worker that is ending.
    await until(async () => (workers = await clients().catch(() => [])).length === 2);
    const { all } = (await workers[0]?.health())?.workers ?? { all: [] };
    const leader = all.find(({ isLeader }) => isLeader)?.pid;
    return workers.toSorted((a, b) => Number(b.pid === leader) - Number(a.pid === leader));
  }

  for (const [nth, [name, { prepare, request }]] of Object.entries(REQUESTS).entries()) {
    it(`${name}: whole before or whole after, and done when it is sent again`, async () => {
      let after: Record<string, string> | null = null;
      for (const [at, call] of CALLS.entries()) {
        if (!hasAllRounds && at !== nth % CALLS.length) continue;
        for (const role of [0, 1]) {
          const root = join(folder.path, `${call}-${role}`);
          const flag = join(folder.path, "kill");
          const env = { KILL_AT: flag, KILL_BELOW: root };
          const node = [`--import=${KILL.href}`];
          const running = await startWorkers({ root, files: SHARED_FILES, env, node });
          server = running;
          const client = clientOf(running, (await workersOf(running))[role]);
          const prepared = (await prepare?.(client)) ?? "";
          const before = seen(root);
          await writeFile(flag, String(call));
          await assert.rejects(request(client, prepared), `call ${call}`);
          assert.ok(!existsSync(flag));
          await until(() => openJournals(root).length === 0);
          const isUndone = isDeepStrictEqual(seen(root), before);
          const [next] = await workersOf(running);
          const again = await request(clientOf(running, next), prepared);
          // What has been done already is not there to be done.
          assert.ok(again === 200 || (!isUndone && again === 404), `call ${call}: ${again}`);
          await running.stop();
          after ??= seen(root);
          assert.notDeepEqual(after, before);
          assert.deepEqual(seen(root), after, `call ${call} of ${role}`);
        }
      }
    });
  }
});

describe("changes of several files, with a node of a cluster killed in them", function () {
  this.timeout(1_200_000);
  const folder = useFolder();
  const servers: (SiteProcess & { url: string })[] = [];
  let env: Record<string, string> = {};
  beforeEach(async function () {
    env = { SITE_DB_URL: (await usePostgres(this)).url };
  });
  afterEach(async () => {
    for (const { child } of servers.splice(0)) {
      if (child.exitCode !== null || child.signalCode !== null) continue;
      child.kill("SIGKILL");
      await once(child, "exit");
    }
  });

  async function start(
    root: string,
    node: readonly string[] = [],
  ): Promise<SiteProcess & { url: string }> {
    const flag = join(folder.path, "kill");
    const server = await startServer(root, {
      env: { ...env, KILL_AT: flag, KILL_BELOW: folder.path },
      node,
    });
    servers.push(server);
    return server;
  }

  /** The client of a node that may end. */
  function clientOf({ url }: { url: string }, auth: WorkersServer["auth"]): StepClient {
    const send: StepClient["send"] = (method, path, body) =>
      fetch(url + path, {
        method,
        headers: { ...auth, "content-type": "application/json" },
        ...(body !== undefined && { body: JSON.stringify(body) }),
      });
    return {
      send,
      json: async (status, ...request) => {
        const response = await send(...request);
        assert.equal(response.status, status);
        return response.json();
      },
    };
  }

  /** Two nodes with one content folder; the first one can be killed. */
  async function startNodes() {
    await mkdir(join(folder.path, "content"));
    const auths = [];
    for (const node of ["a", "b"]) {
      const root = join(folder.path, node);
      await mkdir(root);
      await symlink("../content", join(root, "content"));
      const system = `cluster: { enabled: true, node: ${node} }\n`;
      auths.push(await writeSite({ root, files: SHARED_FILES, system }));
    }
    const [auth, otherAuth] = auths;
    assert.ok(auth && otherAuth);
    const [a, b] = [join(folder.path, "a"), join(folder.path, "b")];
    const first = await start(a, [`--import=${KILL.href}`]);
    return { a, first, other: await start(b), auth, otherAuth };
  }

  // Four servers start for each: two of the operations, or all with ROUNDS=all.
  const some = ["move of a tree", "restore of a folder"];
  const all = Object.entries(REQUESTS).filter(([name]) => hasAllRounds || some.includes(name));
  for (const [nth, [name, { prepare, request }]] of all.entries()) {
    it(`${name}: whole before or whole after a restart, on both nodes, and done when it is sent again`, async () => {
      const { a, first, other, auth } = await startNodes();
      const call = CALLS[nth % CALLS.length];
      const client = clientOf(first, auth);
      const prepared = (await prepare?.(client)) ?? "";
      const before = seen(folder.path);
      await writeFile(join(folder.path, "kill"), String(call));
      await assert.rejects(request(client, prepared));
      if (first.child.signalCode === null) await once(first.child, "exit");
      const again = await start(a);
      assert.deepEqual(openJournals(folder.path), []);
      const isUndone = isDeepStrictEqual(seen(folder.path), before);
      const status = await request(clientOf(again, auth), prepared);
      assert.ok(status === 200 || (!isUndone && status === 404), String(status));
      assert.notDeepEqual(seen(folder.path), before);
      const pagesOf = async ({ url }: { url: string }): Promise<unknown> =>
        (await fetch(`${url}/api/pages?limit=100`)).json();
      await until(async () => isDeepStrictEqual(await pagesOf(other), await pagesOf(again)));
    });
  }

  // The trash and its records are those of one node here.
  for (const name of ["move of a tree", "deletion of a folder"]) {
    it(`${name}: ended by the other node when the killed one does not come back`, async () => {
      const { first, other, auth, otherAuth } = await startNodes();
      const request = REQUESTS[name]?.request;
      assert.ok(request);
      const before = seen(folder.path);
      await writeFile(join(folder.path, "kill"), "60");
      await assert.rejects(request(clientOf(first, auth), ""));
      if (first.child.signalCode === null) await once(first.child, "exit");
      assert.equal(openJournals(join(folder.path, "content")).length, 1);
      assert.notDeepEqual(seen(folder.path), before);
      await until(() => readdirSync(join(folder.path, "content/.steps")).length === 1);
      const isUndone = isDeepStrictEqual(seen(folder.path), before);
      assert.equal(isUndone, name === "move of a tree");
      const status = await request(clientOf(other, otherAuth), "");
      assert.equal(status, isUndone ? 200 : 404);
    });
  }
});
