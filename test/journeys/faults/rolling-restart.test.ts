import assert from "node:assert/strict";
import { once } from "node:events";
import { cp, mkdir, readFile, symlink } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { atomicWrite } from "#kernel";
import { startCaddy } from "../../../scripts/services/caddy.js";
import type { Program } from "../../../scripts/services/debian-program.js";
import { freePort, type ServerProcess } from "../../../scripts/services/server-process.js";
import { bootSite } from "../../support/sites/boot-site.js";
import { useFolder } from "../../support/folder.js";
import { useCaddy, usePostgres } from "../../support/services.js";
import { startProcess, type SiteProcess } from "../../support/processes/site-process.js";

const DOCS = new URL("../../../content/05.operate/13.several-containers/docs.md", import.meta.url);
const PAGES = 20;
const READERS = 6;
const WRITERS = 2;
const PAUSE_MS = 5;

interface Node {
  name: string;
  root: string;
  port: number;
  server: SiteProcess;
}

describe("two nodes behind a balancer that are restarted in turn", function () {
  this.timeout(240_000);
  const folder = useFolder();
  let program: Program;
  let postgres: { url: string };
  let caddy: ServerProcess | null = null;
  const nodes: Node[] = [];
  before(async function () {
    program = await useCaddy(this);
    postgres = await usePostgres(this);
  });
  afterEach(async () => {
    for (const { server } of nodes.splice(0)) {
      server.child.kill("SIGKILL");
      await server.ended();
    }
    await caddy?.stop();
  });

  /** A root with a token; the other node gets a copy. */
  async function prepare(): Promise<string> {
    const root = join(folder.path, "a");
    await mkdir(root);
    const pages = ["home", ...Array.from({ length: PAGES }, (_, at) => `page-${at}`)];
    for (const page of pages) {
      const text = `---\ntitle: ${page}\n---\nText\n`;
      await atomicWrite(join(folder.path, `content/${page}/default.md`), text);
    }
    await atomicWrite(join(root, "site.yaml"), "title: Test\n");
    await symlink(join(folder.path, "content"), join(root, "content"));
    const site = await bootSite({ root, plugins: ["admin", "users", "session", "content"] });
    const permissions = ["pages.read", "pages.update", "pages.publish"];
    const wanted = { name: "test", permissions, userId: null, expiresAt: null };
    const { secret } = await site.site.use("admin").tokens.create(wanted);
    await site.close();
    const server = { drain_seconds: 2, trust_proxy: 1, rate_limit: false };
    const system = { cluster: { enabled: true, node: "$SITE_NODE" }, server };
    await atomicWrite(join(root, "system.yaml"), JSON.stringify(system));
    await cp(root, join(folder.path, "b"), { recursive: true, verbatimSymlinks: true });
    return secret;
  }

  async function start(node: Omit<Node, "server">): Promise<SiteProcess> {
    const server = startProcess(["serve", "--root", node.root, "--port", String(node.port)], {
      env: { SITE_DB_URL: postgres.url, SITE_NODE: node.name },
    });
    await server.printed(/ready after/);
    return server;
  }

  /** Caddy as the documentation configures it, in front of the nodes. */
  async function balance(): Promise<string> {
    const text = await readFile(DOCS, "utf8");
    let caddyfile = /```caddyfile\n([\s\S]*?)```/.exec(text)?.[1] ?? "";
    const url = `http://127.0.0.1:${await freePort()}`;
    // Without asking again: the nodes leave in time.
    caddyfile = caddyfile
      .replace("example.org", url)
      .replace(/^\s*(?:lb_try|fail)_duration.*$/gm, "");
    for (const { name, port } of nodes) {
      caddyfile = caddyfile.replace(`node-${name}:8000`, `127.0.0.1:${port}`);
    }
    caddy = await startCaddy(program, caddyfile);
    return url;
  }

  it("fail no request and no save", async () => {
    const token = await prepare();
    for (const name of ["a", "b"]) {
      const node = { name, root: join(folder.path, name), port: await freePort() };
      nodes.push({ ...node, server: await start(node) });
    }
    const url = await balance();
    const load = new Load(url, token);
    load.start();
    for (const node of nodes) {
      const { child } = node.server;
      child.kill("SIGTERM");
      if (child.exitCode === null) await once(child, "exit");
      assert.equal(child.exitCode, 0, node.server.text());
      node.server = await start(node);
      // The balancer uses it again.
      await node.server.printed(/GET \S*\/page-|"path":"\/page-/);
    }
    await load.stop();
    assert.deepEqual(load.failed, []);
    assert.ok(load.reads > 100 && load.saves > 10, `${load.reads} reads, ${load.saves} saves`);
  });
});

/** Reads and saves until it is stopped. */
class Load {
  readonly failed: string[] = [];
  reads = 0;
  saves = 0;
  readonly #url: string;
  readonly #token: string;
  #hasEnded = false;
  #running: Promise<unknown> = Promise.resolve();

  constructor(url: string, token: string) {
    this.#url = url;
    this.#token = token;
  }

  start(): void {
    const readers = Array.from({ length: READERS }, (_, at) => this.#repeat(() => this.#read(at)));
    const writers = Array.from({ length: WRITERS }, (_, at) => this.#repeat(() => this.#save(at)));
    this.#running = Promise.all([...readers, ...writers]);
  }

  async stop(): Promise<void> {
    this.#hasEnded = true;
    await this.#running;
  }

  async #repeat(once: () => Promise<void>): Promise<void> {
    while (!this.#hasEnded) {
      await once();
      await delay(PAUSE_MS);
    }
  }

  async #read(reader: number): Promise<void> {
    this.reads += 1;
    const page = (this.reads + reader) % PAGES;
    await this.#request(this.reads % 2 === 0 ? `/page-${page}` : `/api/pages/page-${page}`, {});
  }

  async #save(writer: number): Promise<void> {
    this.saves += 1;
    const content = `---\ntitle: Saved ${this.saves}\n---\nText\n`;
    await this.#request(`/admin/api/pages/page-${writer}/default.md`, {
      method: "PUT",
      headers: { authorization: `Bearer ${this.#token}`, "content-type": "application/json" },
      body: JSON.stringify({ content }),
    });
  }

  async #request(path: string, init: RequestInit): Promise<void> {
    try {
      const response = await fetch(this.#url + path, init);
      const text = await response.text();
      if (response.status !== 200) {
        this.failed.push(`${response.status} ${init.method ?? "GET"} ${path} ${text}`);
      }
    } catch (error) {
      this.failed.push(`${init.method ?? "GET"} ${path}: ${String(error)}`);
    }
  }
}
