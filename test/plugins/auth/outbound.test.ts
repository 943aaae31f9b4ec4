import assert from "node:assert/strict";
import { createServer, type RequestListener, type Server } from "node:http";
import { once } from "node:events";
import type { AddressInfo } from "node:net";
import { gzipSync } from "node:zlib";
import { boundedFetch } from "../../../plugins/auth/outbound.js";

const LIMITS = { timeoutMs: 300, maxBytes: 1_000 };

describe("calls to a provider", () => {
  let server: Server;
  let url = "";
  let answer: RequestListener;
  let asked: string[];
  beforeEach(async () => {
    asked = [];
    server = createServer((req, res) => {
      asked.push(`${req.method} ${req.url}`);
      answer(req, res);
    }).listen(0, "127.0.0.1");
    await once(server, "listening");
    const { port }: Pick<AddressInfo, "port"> = Object(server.address());
    url = `http://127.0.0.1:${port}`;
  });
  afterEach(async () => {
    server.closeAllConnections();
    server.close();
    await once(server, "close");
  });

  it("answer status, headers and the whole body, decoded", async () => {
    answer = (_, res) => {
      res.writeHead(418, { "content-encoding": "gzip", "x-a": "b" }).end(gzipSync("hello"));
    };
    const response = await boundedFetch(url, {}, LIMITS);
    assert.deepEqual([response.status, await response.text()], [418, "hello"]);
    assert.deepEqual(
      ["x-a", "content-encoding", "content-length"].map((name) => response.headers.get(name)),
      ["b", null, null],
    );
  });

  it("send method, headers and body", async () => {
    answer = (req, res) => void req.pipe(res);
    const body = new URLSearchParams({ a: "b c" });
    const response = await boundedFetch(`${url}/t`, { method: "POST", body }, LIMITS);
    assert.deepEqual([await response.text(), asked], ["a=b+c", ["POST /t"]]);
  });

  for (const status of [301, 302, 303, 307, 308]) {
    it(`A22: follow no ${status}`, async () => {
      answer = (_, res) => res.writeHead(status, { location: `${url}/elsewhere` }).end();
      await assert.rejects(boundedFetch(`${url}/a`, {}, LIMITS), /redirected with status/);
      assert.deepEqual(asked, ["GET /a"]);
    });
  }

  it("take an answer without a body", async () => {
    answer = (_, res) => res.writeHead(204).end();
    assert.equal((await boundedFetch(url, {}, LIMITS)).status, 204);
  });

  it("A22: read as much as is allowed and not a byte more, also when it was packed", async () => {
    answer = (_, res) => res.end("x".repeat(1_000));
    assert.equal((await (await boundedFetch(url, {}, LIMITS)).text()).length, 1_000);
    answer = (_, res) => res.end("x".repeat(1_001));
    await assert.rejects(boundedFetch(url, {}, LIMITS), /more than 1000 bytes/);
    answer = (_, res) => {
      res.writeHead(200, { "content-encoding": "gzip" }).end(gzipSync("x".repeat(100_000)));
    };
    await assert.rejects(boundedFetch(url, {}, LIMITS), /more than 1000 bytes/);
  });

  it("A22: end when nothing comes, and when the body drips", async () => {
    answer = () => undefined;
    await assert.rejects(boundedFetch(url, {}, LIMITS), { name: "TimeoutError" });
    answer = (_, res) => void res.writeHead(200).write("x");
    await assert.rejects(boundedFetch(url, {}, LIMITS), { name: "TimeoutError" });
  });

  it("end when the caller no longer wants them", async () => {
    answer = () => undefined;
    await assert.rejects(boundedFetch(url, { signal: AbortSignal.abort() }, LIMITS), {
      name: "AbortError",
    });
  });
});
