import assert from "node:assert/strict";
import { join } from "node:path";
import { atomicWrite } from "#kernel";
import { useFolder } from "../../support/folder.js";
import { startWorkers, type WorkersServer } from "../../support/site-workers.js";
import { until } from "../../support/until.js";

const MAX_FAILURES = 5;
const countOf = (server: WorkersServer, event: string): number =>
  server.text().split(event).length - 1;

describe("workers that do not start", function () {
  this.timeout(120_000);
  const folder = useFolder();
  let server: WorkersServer | null = null;
  afterEach(async () => {
    await server?.stop("SIGKILL");
    server = null;
  });
  const setTitle = (line: string): Promise<void> =>
    atomicWrite(join(folder.path, "site.yaml"), `${line}\nhealth_token: 0123456789abcdef\n`);

  it("end the server with exit code 1 after five failed starts when none is left", async () => {
    server = await startWorkers({ root: folder.path });
    const clients = await server.clients();
    await setTitle("titel: T");
    for (const { pid } of clients) process.kill(pid, "SIGKILL");
    assert.equal(await server.ended(), 1);
    assert.match(server.text(), /workers\.given_up.*ERR_WORKERS_START/);
    assert.match(server.text(), /titel/);
    assert.ok(countOf(server, "workers.ended") >= MAX_FAILURES, server.text());
  });

  it("are tried again while another one serves, and start when the mistake is corrected", async () => {
    server = await startWorkers({ root: folder.path });
    const [killed, left] = await server.clients();
    assert.ok(killed !== undefined && left !== undefined);
    await setTitle("titel: T");
    process.kill(killed.pid, "SIGKILL");
    const running = server;
    await until(() => countOf(running, "workers.ended") > MAX_FAILURES, 60);
    assert.equal(countOf(running, "workers.given_up"), 0);
    assert.equal((await left.send("GET", "/")).status, 200);
    await setTitle("title: Corrected");
    await until(async () => {
      const { all } = (await left.health()).workers;
      return all.filter(({ state }) => state === "ready").length === 2;
    }, 40);
    assert.equal((await left.send("GET", "/")).status, 200);
  });
});
