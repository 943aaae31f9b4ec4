import assert from "node:assert/strict";
import { createServer, type RequestListener, type Server } from "node:http";
import { once } from "node:events";
import type { AddressInfo } from "node:net";
import { gzipSync } from "node:zlib";
import { ProviderCalls } from "../../../../plugins/auth/providers/provider-calls.js";
import { OutboundClient } from "../../../../plugins/outbound/client.js";

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

  const client = (denyPrivate = false): OutboundClient => new OutboundClient({ denyPrivate });
  const fetchIt: ProviderCalls["fetch"] = (...call) =>
    new ProviderCalls(client(), [url]).fetch(...call);

  it("return status, headers and the whole body", async () => {
    answer = (req, res) => {
      assert.equal(req.headers["accept-encoding"], "identity");
      res.writeHead(418, { "x-a": "b" }).end("hello");
    };
    const response = await fetchIt(url, {}, LIMITS);
    assert.deepEqual([response.status, await response.text()], [418, "hello"]);
    assert.equal(response.headers.get("x-a"), "b");
  });

  it("send method, headers and body", async () => {
    answer = (req, res) => void req.pipe(res);
    const body = new URLSearchParams({ a: "b c" });
    const response = await fetchIt(`${url}/t`, { method: "POST", body }, LIMITS);
    assert.deepEqual([await response.text(), asked], ["a=b+c", ["POST /t"]]);
  });

  for (const status of [301, 302, 303, 307, 308]) {
    it(`do not follow ${status}`, async () => {
      answer = (_, res) => res.writeHead(status, { location: `${url}/elsewhere` }).end();
      await assert.rejects(fetchIt(`${url}/a`, {}, LIMITS), /redirected with status/);
      assert.deepEqual(asked, ["GET /a"]);
    });
  }

  it("accept a response without a body", async () => {
    answer = (_, res) => res.writeHead(204).end();
    assert.equal((await fetchIt(url, {}, LIMITS)).status, 204);
  });

  it("stop at the size limit, and reject unexpected content encodings", async () => {
    answer = (_, res) => res.end("x".repeat(1_000));
    assert.equal((await (await fetchIt(url, {}, LIMITS)).text()).length, 1_000);
    answer = (_, res) => res.end("x".repeat(1_001));
    await assert.rejects(fetchIt(url, {}, LIMITS), { code: "ERR_OUTBOUND_TOO_LARGE" });
    answer = (_, res) => {
      res.writeHead(200, { "content-encoding": "gzip" }).end(gzipSync("x".repeat(100_000)));
    };
    await assert.rejects(fetchIt(url, {}, LIMITS), /unexpected content encoding gzip/);
  });

  it("time out when the response or its body is too slow", async () => {
    answer = () => undefined;
    await assert.rejects(fetchIt(url, {}, LIMITS), { code: "ERR_OUTBOUND_TIMEOUT" });
    answer = (_, res) => void res.writeHead(200).write("x");
    await assert.rejects(fetchIt(url, {}, LIMITS), { code: "ERR_OUTBOUND_TIMEOUT" });
  });

  it("only reach internal hosts that the configuration names", async () => {
    answer = (_, res) => res.end("{}");
    for (const denyPrivate of [false, true]) {
      const named = new ProviderCalls(client(denyPrivate), [undefined, `${url}/issuer`]);
      assert.equal((await named.fetch(`${url}/token`, {}, LIMITS)).status, 200);
      const other = new ProviderCalls(client(denyPrivate), ["https://login.example"]);
      await assert.rejects(other.fetch(url, {}, LIMITS), { code: "ERR_OUTBOUND_ADDRESS" });
    }
    const metadata = "http://169.254.169.254";
    const named = new ProviderCalls(client(), [metadata]);
    await assert.rejects(named.fetch(metadata, {}, LIMITS), { code: "ERR_OUTBOUND_ADDRESS" });
    assert.equal(asked.length, 2);
  });

  it("abort with the caller's signal", async () => {
    answer = () => undefined;
    await assert.rejects(fetchIt(url, { signal: AbortSignal.abort() }, LIMITS), {
      code: "ERR_OUTBOUND_NETWORK",
    });
  });
});
