// Two servers on one content folder that share everything through PostgreSQL alone.
import assert from "node:assert/strict";
import { mkdir, readFile, symlink } from "node:fs/promises";
import { join } from "node:path";
import { atomicWrite } from "#kernel";
import { errorCode } from "#lib/errors";
import { startPostgres, type PostgresServer } from "../../scripts/services/postgres.js";
import { queryAt } from "../support/servers/cluster-stores.js";
import { useFolder } from "../support/folder.js";
import { needsNode22 } from "../support/servers/shared-jobs.js";
import { usePostgres } from "../support/services.js";
import {
  killProcess,
  startProcess,
  startServer,
  type SiteProcess,
} from "../support/processes/site-process.js";
import { until } from "../support/until.js";
import { startReceiver, type Receiver } from "../support/servers/webhook-receiver.js";

const HOME = "01.home/default.md";
const SYSTEM = `jobs: { engine: postgres }
records: { store: postgres }
`;

interface Node {
  root: string;
  server: SiteProcess & { url: string };
}

describe("two servers that share PostgreSQL", function () {
  this.timeout(240_000);
  const folder = useFolder();
  let receiver: Receiver;
  let postgres: PostgresServer;
  let url = "";
  let token = "";
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
    await atomicWrite(join(folder.path, "content", HOME), "---\ntitle: Home\n---\n");
  });
  afterEach(async () => {
    for (const { server } of nodes.splice(0)) await killProcess(server);
    await postgres.stop();
    await receiver.close();
  });

  async function start(name: string): Promise<Node> {
    const root = join(folder.path, name);
    await mkdir(root);
    await symlink(join(folder.path, "content"), join(root, "content"));
    const hook = `  - url: ${receiver.url}\n    events: [onPageCreate, onPageUpdate]\n`;
    const cluster = `cluster: { enabled: true, node: ${name} }\n`;
    await atomicWrite(join(root, "site.yaml"), "title: Test\nhealth_token: 0123456789abcdef\n");
    await atomicWrite(join(root, "admin.yaml"), `webhooks:\n${hook}`);
    await atomicWrite(join(root, "system.yaml"), SYSTEM + cluster);
    const node = { root, server: await startServer(root, { env: { SITE_DB_URL: url } }) };
    nodes.push(node);
    return node;
  }

  async function command(root: string, ...args: string[]): Promise<string> {
    const run = startProcess([...args, "--root", root], { env: { SITE_DB_URL: url } });
    assert.equal(await run.ended(), 0, run.text());
    return run.text();
  }

  async function both(): Promise<[Node, Node]> {
    const [a, b] = [await start("a"), await start("b")];
    const rights = "pages.read,pages.create,pages.update,pages.publish,users.manage";
    const made = await command(a.root, "tokens:create", "--permissions", rights, "--json");
    token = (JSON.parse(made.slice(made.indexOf("{"))) as { token: string }).token;
    return [a, b];
  }

  const request = ({ server }: Node, path: string, init: RequestInit = {}): Promise<Response> =>
    fetch(`${server.url}${path}`, {
      ...init,
      headers: { authorization: `Bearer ${token}`, "content-type": "application/json" },
      signal: AbortSignal.timeout(20_000),
    });
  async function save(node: Node, path: string, title: string): Promise<number> {
    const body = JSON.stringify({ content: `---\ntitle: ${title}\n---\n` });
    const answer = await request(node, `/admin/api/pages/${path}`, { method: "PUT", body });
    await answer.arrayBuffer();
    return answer.status;
  }
  const pagesOn = async ({ server }: Node): Promise<string> =>
    (await fetch(`${server.url}/api/pages`)).text();
  const delivered = (): string[] =>
    receiver.received.map(
      ({ body }) => (JSON.parse(String(body)) as { payload: { title: string } }).payload.title,
    );
  async function isLeader({ server }: Node): Promise<boolean> {
    const answer = await fetch(`${server.url}/health?detailed=true&token=0123456789abcdef`);
    return ((await answer.json()) as { cluster: { leader: boolean } }).cluster.leader;
  }

  it("deliver each save and each changed file once, and list the nodes", async () => {
    const [a, b] = await both();
    const titles: string[] = [];
    for (let nth = 0; nth < 10; nth += 1) {
      const [node, other] = nth % 2 === 0 ? [a, b] : [b, a];
      titles.push(`Saved ${nth}`);
      assert.equal(await save(node, HOME, `Saved ${nth}`), 200);
      await until(async () => (await pagesOn(other)).includes(`"Saved ${nth}"`));
    }
    for (let nth = 0; nth < 5; nth += 1) {
      titles.push(`Found ${nth}`);
      const page = `---\ntitle: Found ${nth}\n---\n`;
      await atomicWrite(join(folder.path, `content/1${nth}.found/default.md`), page);
    }
    await until(() => delivered().length >= titles.length);
    // A second delivery would have arrived with that of the next save.
    assert.equal(await save(b, HOME, "Last"), 200);
    await until(() => delivered().includes("Last"));
    assert.deepEqual(delivered().toSorted(), [...titles, "Last"].toSorted());
    const text = await command(a.root, "cluster:status", "--json");
    const status = JSON.parse(text.slice(text.indexOf("{"))) as { nodes: { name: string }[] };
    assert.deepEqual(
      status.nodes.map(({ name }) => name),
      ["a", "b"],
    );
  });

  it("go on after one was killed, and deliver what it owed with the same id", async () => {
    receiver.answer = () => undefined;
    const [a, b] = await both();
    assert.equal(await save(a, HOME, "Owed"), 200);
    await receiver.count(1);
    receiver.answer = (res) => void res.writeHead(204).end();
    await killProcess(a.server);
    await until(() => isLeader(b));
    await receiver.count(2);
    const ids = receiver.received.map(({ headers }) => headers["x-site-delivery"]);
    assert.equal(ids[0], ids[1]);
    assert.equal(await save(b, HOME, "Later"), 200);
    await until(() => delivered().includes("Later"));
  });

  it("serve pages and refuse saves while the database is frozen, and lose nothing", async () => {
    const [a, b] = await both();
    const processes = await processesOf(url);
    try {
      for (const pid of processes) signal(pid, "SIGSTOP");
      for (const node of [a, b]) {
        assert.equal((await fetch(`${node.server.url}/api/pages`)).status, 200);
        assert.equal(await save(node, HOME, "Lost"), 503);
      }
    } finally {
      for (const pid of processes) signal(pid, "SIGCONT");
    }
    await until(async () => (await save(a, HOME, "Back")) === 200);
    await until(async () => (await pagesOn(b)).includes('"Back"'));
    await until(() => delivered().includes("Back"));
    assert.ok(!delivered().includes("Lost"));
  });
});

/** The server of a database and its child processes. */
async function processesOf(url: string): Promise<number[]> {
  const [row] = await queryAt(url, "select current_setting('data_directory') as folder");
  const [pid = ""] = (await readFile(`${String(row?.["folder"])}/postmaster.pid`, "utf8")).split(
    "\n",
  );
  const children = await readFile(`/proc/${pid}/task/${pid}/children`, "utf8");
  return [pid, ...children.trim().split(" ")].map(Number);
}

function signal(pid: number, name: NodeJS.Signals): void {
  try {
    process.kill(pid, name);
  } catch (error) {
    // The connection that this process was for has ended.
    if (errorCode(error) !== "ESRCH") throw error;
  }
}
