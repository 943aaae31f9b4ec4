import assert from "node:assert/strict";
import { once } from "node:events";
import { createServer, type Server } from "node:http";
import { connect, type AddressInfo, type Socket } from "node:net";
import express, { type Response } from "express";
import { paceWrites } from "#lib/http";
import { deferred } from "../../support/deferred.js";
import { until } from "../../support/until.js";

/** More than the system takes for a connection whose client does not read. */
const BODY = Buffer.alloc(64 * 1024 * 1024, "a");
const CHUNK = 256 * 1024;

async function sendChunks(res: Response): Promise<void> {
  const closed = once(res, "close");
  for (let at = 0; at < BODY.length && !res.destroyed; at += CHUNK) {
    if (res.write(BODY.subarray(at, at + CHUNK))) continue;
    const drained = deferred<void>();
    res.once("drain", drained.resolve);
    await Promise.race([drained.promise, closed]);
  }
  res.end();
}

describe("paceWrites", () => {
  const servers: Server[] = [];
  const clients: Socket[] = [];
  afterEach(() => {
    for (const client of clients.splice(0)) client.destroy();
    for (const server of servers.splice(0)) server.close();
  });

  async function serve(
    handler: (res: Response) => void,
    pace: Partial<Parameters<typeof paceWrites>[1]> = {},
  ): Promise<{ port: number; stalled: Response[] }> {
    const stalled: Response[] = [];
    const app = express().use((_req, res) => handler(res));
    paceWrites(app, {
      inTurn: (_res, write) => void setImmediate(write),
      stalledMs: 60_000,
      stalled: (res) => stalled.push(res),
      ...pace,
    });
    const server = createServer(app).listen(0, "127.0.0.1");
    await once(server, "listening");
    servers.push(server);
    return { port: (server.address() as AddressInfo).port, stalled };
  }

  function ask(port: number): Socket {
    const client = connect(port, "127.0.0.1");
    clients.push(client);
    client.on("error", () => undefined);
    client.write("GET / HTTP/1.1\r\nHost: site\r\n\r\n");
    return client.pause();
  }

  it("writes a large chunk only in its turn, and the next one after it", async () => {
    const turns: (() => void)[] = [];
    const inTurn = (_res: Response, write: () => void): void => void turns.push(write);
    const { port } = await serve(
      (res) => {
        res.setHeader("Content-Length", 3 * CHUNK);
        void (async () => {
          for (const part of ["a", "b", "c"]) {
            if (!res.write(part.repeat(CHUNK))) await once(res, "drain");
          }
          res.end();
        })();
      },
      { inTurn },
    );
    let received = 0;
    ask(port)
      .on("data", (data: Buffer) => (received += data.length))
      .resume();
    for (const turn of [1, 2, 3]) {
      await until(() => turns.length === 1);
      assert.ok(received < CHUNK * (turn - 1) + 1_000);
      turns.pop()?.();
      await until(() => received >= CHUNK * turn);
    }
  });

  it("writes small chunks at once, as events", async () => {
    const { port } = await serve(
      (res) => {
        res.writeHead(200, { "Content-Type": "text/event-stream" });
        res.write("data: 1\n\n");
      },
      { inTurn: () => assert.fail("a small chunk waits for a turn") },
    );
    const [data] = (await once(ask(port).resume(), "data")) as [Buffer];
    assert.match(String(data), /data: 1/);
  });

  it("disconnects a client that does not read, in the middle of many chunks", async () => {
    const ended = deferred<void>();
    const { port, stalled } = await serve(
      (res) => void sendChunks(res).then(() => ended.resolve()),
      { stalledMs: 100 },
    );
    ask(port);
    await ended.promise;
    assert.equal(stalled.length, 1);
    assert.equal(stalled[0]?.destroyed, true);
  });

  it("disconnects a client that does not read a body sent as a whole", async () => {
    const closed = deferred<void>();
    const { port, stalled } = await serve(
      (res) => {
        res.on("close", () => closed.resolve());
        res.end(BODY);
      },
      { stalledMs: 100 },
    );
    ask(port);
    await closed.promise;
    assert.equal(stalled.length, 1);
  });

  it("sends everything to a client that pauses, and gives the connection its own time limit back", async () => {
    const responses: Response[] = [];
    const { port, stalled } = await serve((res) => {
      responses.push(res);
      res.socket?.setTimeout(30_000);
      res.setHeader("Content-Length", BODY.length);
      void sendChunks(res);
    });
    const client = ask(port);
    await until(() => responses[0]?.socket?.timeout === 60_000);
    const limits: (number | undefined)[] = [];
    responses[0]?.once("drain", () => limits.push(responses[0]?.socket?.timeout));
    let received = 0;
    client.on("data", (data: Buffer) => (received += data.length)).resume();
    await until(() => received > BODY.length);
    assert.deepEqual(limits, [30_000]);
    assert.deepEqual(stalled, []);
  });
});
