import assert from "node:assert/strict";
import { spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { parse } from "yaml";
import { atomicWrite } from "#kernel";
import { bootSite } from "../../support/sites/boot-site.js";
import { useFolder } from "../../support/folder.js";
import { rounds } from "../../support/rounds.js";
import { startReceiver, type Receiver } from "../../support/servers/webhook-receiver.js";

const BIN = fileURLToPath(new URL("../../../kernel/cli/bin.mjs", import.meta.url));
const KILLS = rounds(20);
const PATHS = ["02.a/default.md", "03.b/default.md"] as const;
const PLUGINS = "admin,check,content,history,markdown,security,session,users,webhooks";
const PADDING = "word ".repeat(20_000);

/** A page that contains the number of its save, long enough to be truncated. */
const page = (n: number): string => `---\ntitle: T${n}\n---\n${PADDING}\nend of ${n}\n`;
const SITE = "# our site\ntitle: Test # the title\nmetadata:\n  # counted up\n  n: '0'\n";

interface Server {
  child: ChildProcess;
  url: string;
}

describe("an editor whose server is killed", function () {
  this.timeout(400_000);
  const folder = useFolder();
  let receiver: Receiver;
  let token = "";
  const saved = { page: 0, setting: 0 };
  /** The newest acknowledged number of each page, every acknowledged save, the newest setting. */
  const acked = { pages: new Map<string, number>(), saves: [] as string[], setting: 0 };

  beforeEach(async () => {
    receiver = await startReceiver();
    const webhooks = `webhooks:\n  - url: ${receiver.url}\n    events: [onPageUpdate]\n`;
    const files = { "site.yaml": SITE, "admin.yaml": webhooks };
    for (const [file, text] of Object.entries(files)) {
      await atomicWrite(join(folder.path, file), text);
    }
    for (const path of PATHS) await atomicWrite(join(folder.path, "content", path), page(0));
    const site = await bootSite({ root: folder.path, plugins: PLUGINS.split(",") });
    const permissions = ["pages.read", "pages.update", "pages.publish", "config.update"];
    const wanted = { name: "test", permissions, userId: null, expiresAt: null };
    token = (await site.site.use("admin").tokens.create(wanted)).secret;
    await site.close();
  });
  const running: ChildProcess[] = [];
  afterEach(async () => {
    for (const child of running.splice(0)) child.kill("SIGKILL");
    await receiver.close();
  });

  async function start(): Promise<Server> {
    const args = ["serve", "--root", folder.path, "--port", "0", "--plugins", PLUGINS];
    const child = spawn(process.execPath, [BIN, ...args], {
      env: { ...process.env, NODE_OPTIONS: "" },
    });
    running.push(child);
    const said: string[] = [];
    for (const stream of [child.stdout, child.stderr]) {
      stream.on("data", (chunk: Buffer) => said.push(String(chunk)));
    }
    while (!/ready after/.test(said.join(""))) {
      assert.equal(child.exitCode, null, said.join(""));
      await new Promise((resolve) => setTimeout(resolve, 10));
    }
    const [, port = ""] = /localhost:(\d+)/.exec(said.join("")) ?? [];
    return { child, url: `http://127.0.0.1:${port}/admin/api` };
  }

  async function send(
    { url }: Server,
    method: string,
    path: string,
    body: object,
  ): Promise<boolean> {
    const headers = { authorization: `Bearer ${token}`, "content-type": "application/json" };
    try {
      const answer = await fetch(url + path, { method, headers, body: JSON.stringify(body) });
      const text = await answer.text();
      assert.equal(answer.status, 200, text);
      return true;
    } catch (error) {
      // The server is dead: the outcome is unknown.
      if (error instanceof TypeError) return false;
      throw error;
    }
  }

  async function savePages(server: Server, path: string): Promise<void> {
    for (;;) {
      const n = (saved.page += 1);
      if (!(await send(server, "PUT", `/pages/${path}`, { content: page(n) }))) return;
      acked.pages.set(path, n);
      acked.saves.push(`${path} T${n}`);
    }
  }

  async function saveSettings(server: Server): Promise<void> {
    for (;;) {
      const m = (saved.setting += 1);
      const changes = [{ key: "metadata.n", value: String(m) }];
      if (!(await send(server, "PATCH", "/settings/site", { changes }))) return;
      acked.setting = m;
    }
  }

  /** Kills the server during saves, each time at another moment. */
  async function killAtWork(round: number): Promise<void> {
    const server = await start();
    const before = acked.saves.length;
    const work = [...PATHS.map((path) => savePages(server, path)), saveSettings(server)];
    while (acked.saves.length < before + 3 + (round % 4)) {
      await new Promise((resolve) => setTimeout(resolve, 1));
    }
    await new Promise((resolve) => setTimeout(resolve, (round * 7) % 23));
    server.child.kill("SIGKILL");
    await Promise.all(work);
    if (server.child.signalCode === null) await once(server.child, "exit");
  }

  async function assertWhole(): Promise<void> {
    for (const path of PATHS) {
      const text = await readFile(join(folder.path, "content", path), "utf8");
      const n = Number(/^title: T(\d+)$/m.exec(text)?.[1]);
      assert.equal(text, page(n), `${path} is torn`);
      assert.ok(n >= (acked.pages.get(path) ?? 0), `${path} holds ${n}, an older save`);
    }
    const yaml = await readFile(join(folder.path, "site.yaml"), "utf8");
    const { metadata } = parse(yaml);
    assert.equal(yaml.replace(/n: .*/, "n: '0'"), SITE);
    assert.ok(Number(metadata.n) >= acked.setting && Number(metadata.n) <= saved.setting);
  }

  it(`has every acknowledged save after ${KILLS} kills, complete, and delivers each under one id`, async () => {
    for (let round = 0; round < KILLS; round += 1) {
      await killAtWork(round);
      await assertWhole();
    }
    const server = await start();
    const idsOf = (): Map<string, Set<string>> => {
      const ids = new Map<string, Set<string>>();
      for (const { headers, body } of receiver.received) {
        const { payload } = JSON.parse(body.toString());
        const save = `${payload.sourcePath} ${payload.title}`;
        const known = ids.get(save) ?? new Set<string>();
        ids.set(save, known.add(String(headers["x-site-delivery"])));
      }
      return ids;
    };
    const missing = (): string[] => {
      const ids = idsOf();
      return acked.saves.filter((save) => !ids.has(save));
    };
    for (let wait = 0; missing().length > 0 && wait < 600; wait += 1) {
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
    assert.deepEqual(missing(), [], "acknowledged saves without a delivery");
    const twice = [...idsOf()].filter(([, ids]) => ids.size > 1);
    assert.deepEqual(twice, [], "saves that were delivered under several ids");
    server.child.kill("SIGTERM");
    await once(server.child, "exit");
  });
});
