import assert from "node:assert/strict";
import { createServer, type IncomingMessage } from "node:http";
import { connect, type AddressInfo } from "node:net";
import { once } from "node:events";
import { jsonBody, readBody } from "#lib/http";

describe("readBody", () => {
  /** The result of `readBody` for a request of these bytes; the connection ends after them. */
  async function read(bytes: string): Promise<unknown> {
    const server = createServer().listen(0, "127.0.0.1");
    await once(server, "listening");
    const outcome = new Promise<unknown>((resolve) => {
      server.on("request", (req: IncomingMessage) => {
        readBody(req, 10).then((body) => resolve(body?.toString()), resolve);
      });
    });
    const { port } = server.address() as AddressInfo;
    const socket = connect(port, "127.0.0.1");
    socket.on("error", () => undefined);
    socket.end(`POST / HTTP/1.1\r\nHost: x\r\n${bytes}`);
    const result = await outcome;
    socket.destroy();
    server.closeAllConnections();
    server.close();
    return result;
  }
  const status = (value: unknown): unknown => Object(value)["status"];

  it("returns undefined without a body, else its text, for each transfer coding", async () => {
    assert.equal(await read("\r\n"), undefined);
    assert.equal(await read("Content-Length: 4\r\n\r\nfour"), "four");
    assert.equal(await read("Transfer-Encoding: chunked\r\n\r\n4\r\nfour\r\n0\r\n\r\n"), "four");
  });

  it("rejects more than the limit, declared or counted", async () => {
    assert.equal(status(await read("Content-Length: 11\r\n\r\n")), 413);
    assert.equal(status(await read("Transfer-Encoding: chunked\r\n\r\nb\r\nelevenbytes\r\n")), 413);
  });

  it("fails when the client disconnects midway", async () => {
    assert.equal(status(await read("Content-Length: 8\r\n\r\nfour")), 400);
  });
});

describe("jsonBody", () => {
  it("returns the object, without a byte order mark", () => {
    assert.deepEqual(jsonBody(Buffer.from('\ufeff{"a":[1]}')), { a: [1] });
  });

  it("rejects invalid UTF-8 instead of replacing it", () => {
    const bytes = Buffer.concat([
      Buffer.from('{"a":"'),
      Buffer.from([0xff, 0xfe]),
      Buffer.from('"}'),
    ]);
    assert.throws(() => jsonBody(bytes), { status: 400, message: /UTF-8/ });
  });

  it("accepts 64 levels and rejects 65, ignoring brackets in strings", () => {
    const nested = (levels: number): Buffer =>
      Buffer.from(`{"a":"[[[\\"[[","b":${"[".repeat(levels - 1)}${"]".repeat(levels - 1)}}`);
    assert.ok(jsonBody(nested(64)));
    assert.throws(() => jsonBody(nested(65)), { status: 400, message: /64 levels/ });
  });

  it("keeps __proto__ as a key and changes no prototype", () => {
    const value = jsonBody(Buffer.from('{"__proto__":{"polluted":1}}'));
    assert.ok(Object.hasOwn(value, "__proto__"));
    assert.equal("polluted" in {}, false);
  });
});
