import assert from "node:assert/strict";
import { rm } from "node:fs/promises";
import { join } from "node:path";
import { atomicWrite } from "#kernel";
import { useFolder } from "../../support/folder.js";
import {
  startWorkers,
  type WorkerClient,
  type WorkersServer,
} from "../../support/processes/site-workers.js";
import { until } from "../../support/until.js";

const MAX_FAILURES = 5;
const SITE = "title: Test\nhealth_token: 0123456789abcdef\nplugins: [./plugins/own.mjs]\n";
const OWN = `import { existsSync } from "node:fs";
export default { name: "own", version: "1.0.0", setup(site) {
  if (existsSync(site.paths.root + "/broken.txt")) throw new Error("it is broken");
} };
`;
const countOf = (server: WorkersServer, event: string): number =>
  server.text().split(event).length - 1;

describe("workers that do not start", function () {
  this.timeout(240_000);
  const folder = useFolder();
  let server: WorkersServer | null = null;
  afterEach(async () => {
    await server?.stop("SIGKILL");
    server = null;
  });
  const write = (file: string, text: string): Promise<void> =>
    atomicWrite(join(folder.path, file), text);
  /** Serves a site whose plugin throws while `broken.txt` exists. */
  const start = async (): Promise<WorkersServer> => {
    const files = { "plugins/own.mjs": OWN, "site.yaml": SITE };
    return (server = await startWorkers({ root: folder.path, files }));
  };

  it("end the server with exit code 1 after five failed starts when none is left", async () => {
    const running = await start();
    const clients = await running.clients();
    await write("broken.txt", "");
    for (const { pid } of clients) process.kill(pid, "SIGKILL");
    assert.equal(await running.ended(), 1);
    assert.match(running.text(), /workers\.given_up.*ERR_WORKERS_START/);
    assert.match(running.text(), /is broken/);
    assert.ok(countOf(running, "workers.ended") >= MAX_FAILURES, running.text());
  });

  it("are tried again while another one serves, and start when the mistake is corrected", async () => {
    const running = await start();
    const [killed, left] = await running.clients();
    assert.ok(killed !== undefined && left !== undefined);
    await write("broken.txt", "");
    process.kill(killed.pid, "SIGKILL");
    await until(() => countOf(running, "workers.ended") > MAX_FAILURES);
    assert.equal(countOf(running, "workers.given_up"), 0);
    assert.equal((await left.send("GET", "/")).status, 200);
    await rm(join(folder.path, "broken.txt"));
    await until(() => areReady(left));
    assert.equal((await left.send("GET", "/")).status, 200);
  });

  it("start with the configuration of the others until it is reloaded", async () => {
    const running = await start();
    const hasTwo = async (): Promise<boolean> => (await running.clients()).length === 2;
    const titles = async (): Promise<string[]> => {
      const clients = await running.clients();
      const pages = await Promise.all(clients.map((client) => client.send("GET", "/")));
      return pages.map(({ text }) => /<title>([^<]*)/.exec(text)?.[1] ?? text);
    };
    const [killed] = await running.clients();
    assert.ok(killed !== undefined);
    await write("site.yaml", SITE.replace("title: Test", "titel: Test"));
    process.kill(killed.pid, "SIGKILL");
    await until(() => countOf(running, "workers.ended") === 1);
    await until(hasTwo);
    assert.deepEqual(await titles(), ["Test | Home", "Test | Home"]);
    await write("site.yaml", SITE.replace("title: Test", "title: Corrected"));
    running.child.kill("SIGHUP");
    await until(() => countOf(running, "workers.replaced") === 2);
    await until(hasTwo);
    assert.deepEqual(await titles(), ["Corrected | Home", "Corrected | Home"]);
    const [again] = await running.clients();
    assert.ok(again !== undefined);
    await write("site.yaml", "[");
    process.kill(again.pid, "SIGKILL");
    await until(() => countOf(running, "workers.ended") === 2);
    await until(hasTwo);
    assert.deepEqual(await titles(), ["Corrected | Home", "Corrected | Home"]);
  });
});

async function areReady(client: WorkerClient): Promise<boolean> {
  const { all } = (await client.health()).workers;
  return all.filter(({ state }) => state === "ready").length === 2;
}
