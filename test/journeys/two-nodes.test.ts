import assert from "node:assert/strict";
import { mkdir, symlink } from "node:fs/promises";
import { join } from "node:path";
import { atomicWrite } from "#kernel";
import { startPostgres, type PostgresServer } from "../../scripts/services/postgres.js";
import { bootSite } from "../support/sites/boot-site.js";
import { useFolder } from "../support/folder.js";
import { rounds } from "../support/rounds.js";
import { needsNode22 } from "../support/servers/shared-jobs.js";
import { usePostgres } from "../support/services.js";
import {
  killProcess,
  startProcess,
  startServer,
  type SiteProcess,
} from "../support/processes/site-process.js";
import { queryAt } from "../support/servers/cluster-stores.js";
import { until } from "../support/until.js";
import { startReceiver, type Receiver } from "../support/servers/webhook-receiver.js";

const HOME = "01.home/default.md";
const ROUNDS = rounds(30);
const textOf = (title: string): string => `---\ntitle: ${title}\n---\n`;

interface Node {
  name: string;
  root: string;
  token: string;
  server: SiteProcess & { url: string };
}

describe("servers of one site", function () {
  this.timeout(240_000);
  const folder = useFolder();
  let receiver: Receiver;
  let postgres: PostgresServer;
  let url = "";
  const nodes: Node[] = [];
  before(async function () {
    needsNode22(this);
    // Skips without PostgreSQL.
    await usePostgres(this);
  });
  beforeEach(async () => {
    receiver = await startReceiver();
    postgres = await startPostgres();
    url = await postgres.createDatabase("test");
    await atomicWrite(join(folder.path, "content", HOME), textOf("Home"));
  });
  afterEach(async () => {
    for (const { server } of nodes.splice(0)) await killProcess(server);
    await postgres.stop();
    await receiver.close();
  });

  /** A server with a root of its own and the shared content. */
  async function start(name: string): Promise<Node> {
    const root = join(folder.path, name);
    await mkdir(root);
    await symlink(join(folder.path, "content"), join(root, "content"));
    const files = {
      "site.yaml": "title: Test\nhealth_token: 0123456789abcdef\n",
      "admin.yaml": `webhooks:\n  - url: ${receiver.url}\n    events: [onPageCreate, onPageUpdate]\n`,
    };
    for (const [file, text] of Object.entries(files)) await atomicWrite(join(root, file), text);
    const site = await bootSite({ root, plugins: ["admin", "users", "session", "content"] });
    const permissions = ["pages.read", "pages.update", "pages.create", "pages.publish"];
    const wanted = { name: "test", permissions, userId: null, expiresAt: null };
    const token = (await site.site.use("admin").tokens.create(wanted)).secret;
    await site.close();
    await atomicWrite(
      join(root, "system.yaml"),
      // The test asks for pages until they are there, more often than a visitor may.
      `cluster: { enabled: true, node: ${name} }\njobs: { engine: postgres }\nserver: { rate_limit: false }\n`,
    );
    const env = { SITE_DB_URL: url };
    const node = { name, root, token, server: await startServer(root, { env }) };
    nodes.push(node);
    return node;
  }

  function save(
    { server, token }: Node,
    path: string,
    title: string,
    etag = "",
  ): Promise<Response> {
    return fetch(`${server.url}/admin/api/pages/${path}`, {
      method: "PUT",
      headers: {
        authorization: `Bearer ${token}`,
        "content-type": "application/json",
        ...(etag !== "" && { "if-match": etag }),
      },
      body: JSON.stringify({ content: textOf(title) }),
    });
  }
  function create({ server, token }: Node, path: string, title: string): Promise<Response> {
    return fetch(`${server.url}/admin/api/pages`, {
      method: "POST",
      headers: { authorization: `Bearer ${token}`, "content-type": "application/json" },
      body: JSON.stringify({ path, content: textOf(title) }),
    });
  }
  async function etagOn({ server, token }: Node, path: string): Promise<string> {
    const headers = { authorization: `Bearer ${token}` };
    const answer = await fetch(`${server.url}/admin/api/pages/${path}`, { headers });
    await answer.arrayBuffer();
    return answer.headers.get("etag") ?? "";
  }
  async function titlesOn({ server }: Node): Promise<string[]> {
    const answer = await fetch(`${server.url}/api/pages`);
    assert.equal(answer.status, 200);
    const { items } = (await answer.json()) as { items: { title: string }[] };
    return items.map(({ title }) => title);
  }
  /** Events in the order of their first delivery; one that was under way on a killed node comes again. */
  const delivered = (): string[] => {
    const events = receiver.received.map(({ body, headers }): [unknown, string] => {
      const { event, payload } = JSON.parse(String(body)) as {
        event: string;
        payload: { title: string };
      };
      return [headers["x-site-delivery"], `${event} ${payload.title}`];
    });
    return [...new Map(events.toReversed()).entries()].map(([, event]) => event).toReversed();
  };
  async function leaderSeenBy({ root }: Node): Promise<string | null> {
    const command = startProcess(["cluster:status", "--json", "--root", root], {
      env: { SITE_DB_URL: url },
    });
    assert.equal(await command.ended(), 0, command.text());
    const text = command.text();
    return (JSON.parse(text.slice(text.indexOf("{"))) as { leader: string | null }).leader;
  }
  async function isLeader({ server }: Node): Promise<boolean> {
    const answer = await fetch(`${server.url}/health?detailed=true&token=0123456789abcdef`);
    return ((await answer.json()) as { cluster: { leader: boolean } }).cluster.leader;
  }

  it("share saves, announce each once, and let one of two writers through", async () => {
    const a = await start("a");
    const b = await start("b");
    assert.equal((await save(a, HOME, "Harbour")).status, 200);
    await until(async () => (await titlesOn(b)).includes("Harbour"));
    for (let round = 0; round < ROUNDS; round += 1) {
      const etag = await etagOn(a, HOME);
      await until(async () => (await etagOn(b, HOME)) === etag);
      const answers = await Promise.all([
        save(a, HOME, `A${round}`, etag),
        save(b, HOME, `B${round}`, etag),
      ]);
      assert.deepEqual(answers.map(({ status }) => status).toSorted(), [200, 409]);
      await until(async () => (await etagOn(a, HOME)) !== etag);
    }
    await receiver.count(ROUNDS + 1);
    // A second announcement would have arrived with those of the next page.
    assert.equal((await save(b, HOME, "Last")).status, 200);
    await receiver.count(ROUNDS + 2);
    const titles = delivered();
    assert.equal(new Set(titles).size, ROUNDS + 2, titles.join());
    assert.equal(titles.length, ROUNDS + 2, titles.join());
  });

  it("announce the first page of a new cluster once", async () => {
    const [a, b, c] = [await start("a"), await start("b"), await start("c")];
    const created = await create(a, "02.first/default.md", "First");
    assert.equal(created.status, 201, await created.text());
    for (const node of [b, c]) await until(async () => (await titlesOn(node)).includes("First"));
    assert.equal((await save(b, HOME, "Last")).status, 200);
    await until(() => delivered().includes("onPageUpdate Last"));
    assert.deepEqual(delivered(), ["onPageCreate First", "onPageUpdate Last"]);
  });

  for (const [word, signal] of [
    ["killed", "SIGKILL"],
    ["frozen", "SIGSTOP"],
  ] as const) {
    it(`let another node write after one was ${word} under writes, and lose nothing`, async () => {
      const [a, b] = [await start("a"), await start("b")];
      const confirmed: string[] = [];
      let isEnded = false;
      const writing = (async () => {
        for (let nth = 0; !isEnded; nth += 1) {
          const answer = await create(a, `03.n${nth}/default.md`, `Page ${nth}`);
          if (answer.status === 201) confirmed.push(`Page ${nth}`);
        }
      })().catch(() => undefined);
      await until(() => confirmed.length >= 5);
      a.server.child.kill(signal);
      isEnded = true;
      await until(async () => (await save(b, HOME, "Later")).status === 200);
      await until(() => isLeader(b));
      if (signal === "SIGSTOP") a.server.child.kill("SIGCONT");
      await writing;
      await until(async () => {
        const titles = await titlesOn(b);
        return confirmed.every((title) => titles.includes(title));
      });
      for (const title of confirmed)
        await until(() => delivered().includes(`onPageCreate ${title}`));
      await until(() => delivered().includes("onPageUpdate Later"));
      if (signal === "SIGSTOP") {
        await until(async () => (await save(a, HOME, "Again")).status === 200);
        await until(async () => (await titlesOn(b)).includes("Again"));
      }
    });
  }

  it("have a new leader after the leader was killed, which announces what it finds", async () => {
    const a = await start("a");
    const b = await start("b");
    assert.equal(await leaderSeenBy(b), "a");
    const soon = new Date(Date.now() + 3_000).toISOString();
    const page = `---\ntitle: Soon\npublish_date: ${soon}\n---\n`;
    await atomicWrite(join(folder.path, "content/02.soon/default.md"), page);
    await receiver.count(1);
    // A node that dies before it has said that it announced the page lets the next leader repeat it.
    const done = `select from site_messages where notice->>'done' like '%02.soon%'`;
    await until(async () => (await queryAt(url, done)).length > 0);
    await killProcess(a.server);
    await until(() => isLeader(b));
    await until(async () => (await titlesOn(b)).includes("Soon"));
    await until(() => delivered().includes("onPageUpdate Soon"));
    assert.deepEqual(delivered(), ["onPageCreate Soon", "onPageUpdate Soon"]);
    assert.equal(await leaderSeenBy(b), "b");
  });

  it("serve pages without PostgreSQL, save nothing, and lose nothing", async () => {
    const a = await start("a");
    const b = await start("b");
    await postgres.end("SIGKILL");
    for (const node of [a, b]) {
      const answer = await save(node, HOME, "Lost");
      assert.equal(answer.status, 503, await answer.text());
      assert.ok(answer.headers.get("retry-after"));
      assert.deepEqual(await titlesOn(node), ["Home"]);
    }
    await postgres.startAgain();
    await until(async () => (await save(a, HOME, "Back")).status === 200);
    await until(async () => (await titlesOn(b)).includes("Back"));
    await receiver.count(1);
    assert.deepEqual(delivered(), ["onPageUpdate Back"]);
  });
});
