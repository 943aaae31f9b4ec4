import assert from "node:assert/strict";
import { createServer, type RequestListener } from "node:http";
import { MemoryConnection } from "#lib/http";

describe("MemoryConnection", () => {
  function send(listener: RequestListener, request: Parameters<MemoryConnection["send"]>[1]) {
    const server = createServer(listener);
    const acceptor = { accept: (one: unknown) => void server.emit("connection", one) };
    return new MemoryConnection("192.0.2.1").send(acceptor, request);
  }

  it("sends a request to a server and resolves with its response", async () => {
    const answer = await send(
      (req, res) => {
        res.statusCode = 201;
        res.setHeader("X-Seen", `${req.method} ${req.url} ${req.socket.remoteAddress}`);
        req.pipe(res);
      },
      { method: "POST", target: "/a?b=1", body: Buffer.from("text") },
    );
    assert.equal(answer.status, 201);
    assert.equal(answer.headers["x-seen"], "POST /a?b=1 192.0.2.1");
    assert.equal(answer.body.toString(), "text");
  });

  it("rejects when the server destroys the connection", async () => {
    await assert.rejects(
      send((req) => void req.socket.destroy(), { target: "/" }),
      /cut off/,
    );
  });

  it("sends no header that would begin another one", async () => {
    const headers = { a: "b\r\nc: d" };
    await assert.rejects(
      send((_, res) => void res.end(), { target: "/", headers }),
      TypeError,
    );
  });
});
