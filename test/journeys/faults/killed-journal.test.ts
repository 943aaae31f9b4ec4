import assert from "node:assert/strict";
import { join } from "node:path";
import { setTimeout } from "node:timers/promises";
import { atomicWrite } from "#kernel";
import { bootSite } from "../../support/sites/boot-site.js";
import { useFolder } from "../../support/folder.js";
import { startServer, type SiteProcess } from "../../support/processes/site-process.js";

const KILLS = 5;
const PLUGINS = "admin,check,content,history,markdown,pages,security,session,users";
type Server = SiteProcess & { url: string };

interface Page {
  items: { op: string; key: string }[];
  cursor: string;
  more: boolean;
}

describe("the journal of changes, when the server is killed", function () {
  this.timeout(240_000);
  const folder = useFolder();
  const running: Server[] = [];
  let token = "";
  let created = 0;

  beforeEach(async () => {
    await atomicWrite(join(folder.path, "site.yaml"), "title: Test\n");
    await atomicWrite(join(folder.path, "content/01.home/default.md"), "# Home\n");
    const site = await bootSite({ root: folder.path, plugins: PLUGINS.split(",") });
    const permissions = ["pages.read", "pages.create", "pages.publish"];
    const wanted = { name: "test", permissions, userId: null, expiresAt: null };
    token = (await site.site.use("admin").tokens.create(wanted)).secret;
    await site.close();
  });
  afterEach(() => {
    for (const { child } of running.splice(0)) child.kill("SIGKILL");
  });

  async function start(): Promise<Server> {
    const server = await startServer(folder.path, { more: ["--plugins", PLUGINS] });
    running.push(server);
    return server;
  }

  async function read({ url }: Server, cursor: string | null): Promise<Page> {
    const since = cursor === null ? "" : `?since=${cursor}`;
    const answer = await fetch(`${url}/api/changes${since}`);
    const text = await answer.text();
    assert.equal(answer.status, 200, text);
    return JSON.parse(text) as Page;
  }

  /** Creates pages until the server dies; returns the acknowledged ones. */
  async function createPages({ url }: Server, acked: Set<string>): Promise<void> {
    const headers = { authorization: `Bearer ${token}`, "content-type": "application/json" };
    for (;;) {
      const path = `02.p${(created += 1)}/default.md`;
      const body = JSON.stringify({ path, content: `---\ntitle: Page ${created}\n---\nText.\n` });
      try {
        const answer = await fetch(`${url}/admin/api/pages`, { method: "POST", headers, body });
        assert.equal(answer.status, 201, await answer.text());
        acked.add(path);
      } catch (error) {
        // The server is dead: the outcome is unknown.
        if (error instanceof TypeError) return;
        throw error;
      }
    }
  }

  it(`has every acknowledged page once after ${KILLS} kills, from a cursor of before`, async () => {
    let server = await start();
    const { cursor } = await read(server, null);
    const acked = new Set<string>();
    for (let round = 0; round < KILLS; round += 1) {
      const before = acked.size;
      const work = [createPages(server, acked), createPages(server, acked)];
      while (acked.size < before + 3 + round) await setTimeout(1);
      await setTimeout((round * 7) % 23);
      server.child.kill("SIGKILL");
      await Promise.all(work);
      await server.ended();
      server = await start();
    }
    const counts = new Map<string, number>();
    for (let page = await read(server, cursor); ; page = await read(server, page.cursor)) {
      for (const { op, key } of page.items) {
        if (op === "create") counts.set(key, (counts.get(key) ?? 0) + 1);
      }
      if (!page.more) break;
    }
    const missing = [...acked].filter((path) => !counts.has(path));
    assert.deepEqual(missing, [], "acknowledged pages without an entry");
    const repeated = [...counts].filter(([, count]) => count > 1);
    assert.deepEqual(repeated, [], "pages that were created twice");
    assert.ok(acked.size >= KILLS * 3);
    server.child.kill("SIGTERM");
    assert.equal(await server.ended(), 0);
  });
});
