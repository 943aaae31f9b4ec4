import assert from "node:assert/strict";
import { once } from "node:events";
import { mkdirSync, writeFileSync } from "node:fs";
import { connect, type Socket } from "node:net";
import { join } from "node:path";
import { definePlugin } from "#kernel";
import { until } from "../../support/until.js";
import { bootSite, type TestSite } from "../../support/sites/boot-site.js";

describe("a site in trouble", () => {
  let site: TestSite;
  afterEach(() => site.close());
  const alive = async (): Promise<void> =>
    assert.equal((await site.fetch("/health/live")).status, 200);

  it("handles a storm of changes in a few rebuilds, and ends up to date", async () => {
    const rebuilds: number[] = [];
    const ears = definePlugin({
      name: "ears",
      version: "1.0.0",
      hooks: { onRebuild: ({ data }) => void rebuilds.push(data.generation) },
    });
    site = await bootSite({
      files: { "content/01.home/default.md": "# Home\n" },
      plugins: ["pages", "health"],
      extraPlugins: [ears],
    });
    for (let at = 0; at < 400; at += 1) {
      const folder = join(site.root, `content/p${at}`);
      // Written without a pause: the number of rebuilds must not depend on the speed of the machine.
      mkdirSync(folder);
      writeFileSync(join(folder, "default.md"), "");
      writeFileSync(join(folder, "default.md"), `# Page ${at}\n`);
      if (at % 50 === 0) await alive();
    }
    const total = async (): Promise<number> =>
      Object(await (await site.fetch("/api/pages")).json())["meta"].total;
    await until(async () => (await total()) === 401);
    const last = await site.fetch("/api/pages/p399");
    assert.equal(Object(await last.json())["title"], "Page 399");
    assert.ok(rebuilds.length < 100, `${rebuilds.length} rebuilds`);
  });

  it("applies limits and serves pages whatever the wall clock does", async () => {
    const clock = { at: Date.parse("2026-06-01T00:00:00Z"), now: () => clock.at };
    site = await bootSite({
      files: {
        "content/01.home/default.md": "# Home\n",
        "content/02.a/default.md": "---\ndate: 2026-01-01\n---\n",
      },
      plugins: ["pages", "render", "security", "cache", "health"],
      env: { SITE_ENV: "production" },
      settings: { system: { server: { rate_limit: 3 } } },
      clock,
    });
    const hour = 3_600_000;
    const statuses: number[] = [];
    for (const step of [
      0,
      -24 * hour,
      24 * hour,
      -hour,
      20 * 365 * 24 * hour,
      -(20 * 365 * 24 * hour),
    ]) {
      clock.at += step;
      statuses.push((await site.fetch("/api/pages")).status);
      assert.equal((await site.fetch("/a")).status, 200);
      await alive();
    }
    assert.deepEqual(statuses, [200, 200, 200, 429, 429, 429]);
  });

  it("continues with its configuration when a file becomes invalid", async () => {
    site = await bootSite({ files: { "content/01.home/default.md": "# Home\n" } });
    await site.write("site.yaml", "title: [broken\n: :\n");
    await site.write("system.yaml", Buffer.from([0xff, 0xfe, 0x00]));
    await site.write("content/02.new/default.md", "# New\n");
    await until(async () => (await site.fetch("/new")).status === 200);
    assert.equal(Object(await (await site.fetch("/api/config/site")).json())["title"], "Test");
  });

  it("rejects slow headers with 408 while others are served", async () => {
    site = await bootSite({ plugins: ["health"] });
    const { server } = site.site;
    assert.ok(
      server.headersTimeout <= 10_000 &&
        server.requestTimeout <= 120_000 &&
        server.keepAliveTimeout <= 5_000,
    );
    server.headersTimeout = 100;
    const slow = Array.from({ length: 50 }, () => open(site.url));
    for (const socket of slow) socket.write("GET / HTTP/1.1\r\nHost: x\r\nX-Slow: ");
    const closed = slow.map(whenClosed);
    const [first] = slow;
    assert.ok(first);
    const chunks: string[] = [];
    first.on("data", (chunk) => chunks.push(chunk.toString()));
    await alive();
    await Promise.all(closed);
    assert.match(chunks.join(""), /^HTTP\/1\.1 408 [^]*"error"/);
    await alive();
  });

  for (const [name, head] of [
    ["that a handler reads", "POST /api/read HTTP/1.1\r\nContent-Type: application/json"],
    ["that no handler reads", "GET /health/live HTTP/1.1"],
    ["of a request without a route", "POST /api/none HTTP/1.1\r\nContent-Type: application/json"],
    [
      "of a file that is uploaded",
      "POST /api/upload HTTP/1.1\r\nContent-Type: multipart/form-data; boundary=x",
    ],
  ] as const) {
    it(`closes the connection of a slow body ${name}, while others are served`, async () => {
      const reader = definePlugin({
        name: "reader",
        version: "1.0.0",
        setup: ({ http }) => {
          http.route({
            method: "post",
            path: "/api/read",
            summary: "reads a body",
            body: { as: "json", limit: 100_000 },
            handler: (_req, res) => void res.json({}),
          });
        },
      });
      site = await bootSite({
        plugins: ["health", "uploads"],
        settings: { site: { uploads: {} } },
        extraPlugins: [reader],
        undeclared: true,
      });
      site.site.server.headersTimeout = 400;
      const slow = Array.from({ length: 20 }, () => open(site.url));
      const drips: NodeJS.Timeout[] = [];
      for (const socket of slow) {
        socket.write(`${head}\r\nHost: x\r\nContent-Length: 90000\r\n\r\n`);
        drips.push(setInterval(() => void socket.write("a"), 50));
      }
      await alive();
      await Promise.all(slow.map(whenClosed));
      for (const drip of drips) clearInterval(drip);
      await alive();
    });
  }

  it("accepts a body that arrives slowly and steadily, and one that its handler pauses", async () => {
    const bodies: number[] = [];
    const reader = definePlugin({
      name: "reader",
      version: "1.0.0",
      setup: ({ http }) => {
        http.jsonPrefix("/api");
        http.use("routes", async (req, res) => {
          // Longer than the grace period: the connection is paused meanwhile.
          await new Promise((resolve) => setTimeout(resolve, 600));
          let size = 0;
          for await (const chunk of req) size += (chunk as Buffer).length;
          bodies.push(size);
          res.json({ size });
        });
      },
    });
    site = await bootSite({ plugins: ["health"], extraPlugins: [reader], undeclared: true });
    site.site.server.headersTimeout = 200;
    const large = site.fetch("/api/x", { method: "POST", body: Buffer.alloc(4_000_000) });
    const socket = open(site.url);
    socket.write(
      "POST /api/x HTTP/1.1\r\nHost: x\r\nConnection: close\r\nContent-Length: 8000\r\n\r\n",
    );
    for (let sent = 0; sent < 8_000; sent += 400) {
      socket.write(Buffer.alloc(400));
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
    assert.equal((await large).status, 200);
    await whenClosed(socket);
    assert.deepEqual(
      bodies.toSorted((a, b) => a - b),
      [8_000, 4_000_000],
    );
  });

  it("drops connections above the limit and serves the existing ones", async () => {
    site = await bootSite({ plugins: ["health"] });
    site.site.server.maxConnections = 3;
    const sockets = Array.from({ length: 3 }, () => open(site.url));
    await Promise.all(sockets.map((socket) => once(socket, "connect")));
    const dropped = Array.from({ length: 10 }, () => open(site.url));
    await Promise.all(dropped.map(whenClosed));
    for (const socket of sockets) {
      socket.write("GET /health/live HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n");
      const [chunk] = await once(socket, "data");
      assert.match(String(chunk), /^HTTP\/1\.1 200/);
    }
    await Promise.all(sockets.map(whenClosed));
    await alive();
  });
});

/** Resolves when the connection is closed, also by a reset while something is sent. */
function whenClosed(socket: Socket): Promise<void> {
  return new Promise((resolve) => {
    if (socket.closed) resolve();
    else socket.once("close", () => resolve());
  });
}

function open(url: string): Socket {
  const socket = connect(Number(new URL(url).port), "127.0.0.1");
  socket.on("error", () => undefined);
  socket.resume();
  return socket;
}
