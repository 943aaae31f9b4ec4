import assert from "node:assert/strict";
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import { SiteError } from "#kernel";
import { send } from "../../../plugins/outbound/client.js";

const fails = (code: string) => (error: unknown) =>
  error instanceof SiteError && error.code === code;

describe("a request to a checked address", () => {
  let server: Server | undefined;
  afterEach(() => server?.close());

  async function start(answer: (req: IncomingMessage, res: ServerResponse) => void) {
    const started = createServer(answer);
    server = started;
    await new Promise<void>((resolve) => started.listen(0, "127.0.0.1", resolve));
    const address = started.address();
    assert.ok(address !== null && typeof address === "object");
    // The name does not resolve; only the pinned address works.
    const url = new URL(`http://pinned.invalid:${address.port}/x`);
    return { url, addresses: [{ address: "127.0.0.1", family: 4 }] };
  }
  const limits = { maxBytes: 10, overflow: "fail" } as const;
  const signal = new AbortController().signal;

  it("connects to that address without a lookup", async () => {
    const target = await start((req, res) => res.end(req.headers.host?.split(":")[0]?.slice(0, 6)));
    assert.equal((await send(target, limits, signal)).body.toString(), "pinned");
  });

  it("sends the bytes of the body with their length", async () => {
    const target = await start((req, res) => {
      assert.equal(req.headers["content-length"], "4");
      req.pipe(res);
    });
    const body = Buffer.from([0, 255, 10, 13]);
    const answer = await send(target, { ...limits, method: "POST", body }, signal);
    assert.ok(answer.body.equals(body));
  });

  it("returns a redirect", async () => {
    const target = await start((_, res) =>
      res.writeHead(302, { Location: "http://127.0.0.1/" }).end(),
    );
    assert.equal((await send(target, limits, signal)).status, 302);
  });

  it("accepts a response of exactly the limit, and joins repeated headers", async () => {
    const target = await start((_, res) =>
      res.writeHead(200, { "X-A": ["1", "2"] }).end("0123456789"),
    );
    const { body, headers } = await send(target, limits, signal);
    assert.equal(body.length, 10);
    assert.equal(headers["x-a"], "1, 2");
  });

  it("rejects or truncates a longer response, without waiting for its end", async () => {
    const endless = (_: IncomingMessage, res: ServerResponse): void =>
      void res.write("x".repeat(50));
    await assert.rejects(
      send(await start(endless), limits, signal),
      fails("ERR_OUTBOUND_TOO_LARGE"),
    );
    server?.close();
    const { body } = await send(await start(endless), { ...limits, overflow: "discard" }, signal);
    assert.equal(body.toString(), "x".repeat(10));
  });

  it("fails when the response is truncated or the connection is lost", async () => {
    const torn = await start((_, res) => {
      res.writeHead(200, { "Content-Length": "9" });
      res.write("x", () => res.destroy());
    });
    await assert.rejects(send(torn, limits, signal), fails("ERR_OUTBOUND_NETWORK"));
    server?.close();
    const closed = await start((req) => req.socket.destroy());
    await assert.rejects(send(closed, limits, signal), fails("ERR_OUTBOUND_NETWORK"));
  });

  it("fails on header injection", async () => {
    const target = await start((_, res) => res.end());
    await assert.rejects(send(target, { ...limits, headers: { "X-A": "1\r\nX-B: 2" } }, signal));
  });

  it("aborts with its signal", async () => {
    const controller = new AbortController();
    const target = await start(() => controller.abort());
    await assert.rejects(send(target, limits, controller.signal), fails("ERR_OUTBOUND_NETWORK"));
  });
});
