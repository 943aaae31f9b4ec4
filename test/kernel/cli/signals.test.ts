import assert from "node:assert/strict";
import { mkdtemp, mkdir, rm, writeFile } from "node:fs/promises";
import { Agent, get, type IncomingMessage } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { startServer, type SiteProcess } from "../../support/processes/site-process.js";

const CHUNK = 16_384;
const CHUNKS = 8;

/** Responds slowly, in parts, and counts the open responses. */
const SLOW = `
export default {
  name: "slow", version: "1.0.0",
  setup(site) {
    let open = 0;
    site.lifecycle.onClose(() => console.log("slow closed"));
    site.http.use("pages", (req, res, next) => {
      if (req.ctx.path === "/hang") { console.log("hangs"); return; }
      if (req.ctx.path === "/late") {
        console.log("late one asked");
        return void res.end("late");
      }
      if (req.ctx.path === "/open") return void res.end(String(open));
      if (req.ctx.path !== "/slow") return next();
      open += 1;
      res.writeHead(200, { "Content-Length": "${CHUNK * CHUNKS}" });
      let sent = 0;
      const timer = setInterval(() => {
        res.write(Buffer.alloc(${CHUNK}, "x"));
        if (++sent < ${CHUNKS}) return;
        clearInterval(timer);
        res.end();
      }, 150);
    });
  },
};
`;

describe("a served site that is stopped", () => {
  let root: string;
  let server: (SiteProcess & { url: string }) | null = null;

  before(async () => {
    root = await mkdtemp(join(tmpdir(), "site-signals-"));
    await mkdir(join(root, "content"));
    await mkdir(join(root, "plugins"));
    await writeFile(join(root, "plugins", "slow.ts"), SLOW);
    await writeFile(
      join(root, "site.yaml"),
      "title: T\nplugins:\n  - health\n  - pages\n  - render\n  - src: ./plugins/slow.ts\n",
    );
    await writeFile(join(root, "content", "hello.md"), "# Hello\n\nWorld.\n");
  });
  after(() => rm(root, { recursive: true, force: true }));
  afterEach(async () => {
    server?.child.kill("SIGKILL");
    await server?.ended();
    server = null;
  });

  /** Bytes of a response, or its error. */
  function bytes(url: string, agent: Agent): Promise<number | string> {
    return new Promise((resolve) => {
      const request = get(url, { agent }, (res: IncomingMessage) => {
        let size = 0;
        res.on("data", (chunk: Buffer) => (size += chunk.length));
        res.on("end", () => resolve(res.complete ? size : "cut"));
        res.on("error", (error) => resolve(String(error)));
      });
      request.on("error", (error: NodeJS.ErrnoException) => resolve(error.code ?? "error"));
    });
  }

  it("finishes 200 open requests under load, drops none, closes 300 idle connections", async () => {
    server = await startServer(root);
    const { url, child } = server;
    const resting = new Agent({ keepAlive: true, maxSockets: 300 });
    const busy = new Agent({ keepAlive: true, maxSockets: 200 });
    await Promise.all(Array.from({ length: 300 }, () => bytes(`${url}/health`, resting)));
    const slow = Array.from({ length: 200 }, () => bytes(`${url}/slow`, busy));
    while ((await (await fetch(`${url}/open`)).text()) !== "200")
      await new Promise((resolve) => setTimeout(resolve, 10));
    child.kill("SIGTERM");
    // New clients get a response or no connection (one that waits in the listener's queue when it closes
    // is reset by the system); no request that was received is dropped.
    const late: (number | string)[] = [];
    for (let at = 0; at < 50; at += 1) {
      late.push(await bytes(`${url}/late`, new Agent()));
      await new Promise((resolve) => setTimeout(resolve, 10));
    }
    assert.deepEqual(new Set(await Promise.all(slow)), new Set([CHUNK * CHUNKS]));
    assert.equal(await server.ended(), 0);
    assert.match(server.text(), /slow closed/);
    const answered = late.filter((outcome) => typeof outcome === "number");
    assert.equal(answered.length, server.text().split("late one asked").length - 1);
    const refused = late.filter((outcome) => typeof outcome !== "number");
    assert.deepEqual(
      refused.filter((code) => !/^ECONN(REFUSED|RESET)$/.test(code)),
      [],
    );
    resting.destroy();
    busy.destroy();
  });

  it("ignores the duplicate of a signal", async () => {
    server = await startServer(root);
    const slow = bytes(`${server.url}/slow`, new Agent());
    while ((await (await fetch(`${server.url}/open`)).text()) !== "1")
      await new Promise((resolve) => setTimeout(resolve, 10));
    server.child.kill("SIGTERM");
    server.child.kill("SIGINT");
    assert.equal(await slow, CHUNK * CHUNKS);
    assert.equal(await server.ended(), 0);
  });

  it("exits at once on a second signal", async () => {
    server = await startServer(root);
    const hanging = bytes(`${server.url}/hang`, new Agent());
    await server.printed(/hangs/);
    server.child.kill("SIGTERM");
    await server.printed(/site\.stopping/);
    assert.equal(server.child.exitCode, null);
    // The first half second counts as a duplicate.
    const { child } = server;
    const again = setInterval(() => child.kill("SIGTERM"), 100);
    assert.equal(await server.ended(), 1);
    clearInterval(again);
    assert.equal(await hanging, "ECONNRESET");
  });

  it("serves on for `server.drain_seconds`, not ready, on connections that end", async () => {
    await writeFile(join(root, "system.yaml"), "server: { drain_seconds: 600 }\n");
    server = await startServer(root);
    server.child.kill("SIGTERM");
    await server.printed(/site\.stopping/);
    assert.equal((await fetch(`${server.url}/health/ready`)).status, 503);
    const agent = new Agent({ keepAlive: true });
    for (const path of ["/hello", "/open"]) {
      const response = await new Promise<IncomingMessage>((resolve, reject) => {
        get(`${server?.url}${path}`, { agent }, resolve).on("error", reject);
      });
      assert.equal(response.statusCode, 200);
      assert.equal(response.headers.connection, "close");
      response.resume();
    }
    await rm(join(root, "system.yaml"));
    // A second signal ends the wait.
    const { child } = server;
    const again = setInterval(() => child.kill("SIGTERM"), 100);
    assert.equal(await server.ended(), 1);
    clearInterval(again);
  });

  it("gives open requests the configured time, then exits with 0", async () => {
    server = await startServer(root, { env: { SITE_SHUTDOWN_TIMEOUT_MS: "300" } });
    const hanging = bytes(`${server.url}/hang`, new Agent());
    await server.printed(/hangs/);
    server.child.kill("SIGTERM");
    assert.equal(await server.ended(), 0);
    assert.equal(await hanging, "ECONNRESET");
    assert.match(server.text(), /slow closed/);
  });
});
