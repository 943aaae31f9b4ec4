import assert from "node:assert/strict";
import { OutboundClient } from "../../../plugins/outbound/client.js";
import { startReceiver, type Receiver } from "../../support/servers/webhook-receiver.js";

const client = new OutboundClient({ denyPrivate: false });

function code(expected: string) {
  return (error: unknown) => error instanceof Error && "code" in error && error.code === expected;
}

describe("outbound.request", () => {
  let receiver: Receiver;
  beforeEach(async () => {
    receiver = await startReceiver();
  });
  afterEach(() => receiver.close());

  it("sends method, headers and body, and returns status, headers and body", async () => {
    receiver.answer = (res) => res.writeHead(201, { "X-Two": ["a", "b"] }).end("made");
    const answer = await client.request(receiver.url, {
      method: "POST",
      headers: { "X-One": "1" },
      body: "grüße",
      policy: "operator",
    });
    assert.equal(answer.status, 201);
    assert.equal(answer.headers["x-two"], "a, b");
    assert.equal(answer.body.toString(), "made");
    assert.equal(receiver.received[0]?.headers["x-one"], "1");
    assert.equal(receiver.received[0]?.body.toString(), "grüße");
  });

  it("rejects every spelling of a non-public address, without a connection", async () => {
    const { port } = new URL(receiver.url);
    const hosts = [
      "127.0.0.1",
      "127.1",
      "0x7f000001",
      "2130706433",
      "017700000001",
      "localhost",
      "localhost.",
      "LOCALHOST",
      "[::1]",
      "[::ffff:127.0.0.1]",
      "[::ffff:a9fe:a9fe]",
      "[64:ff9b::7f00:1]",
      "[2002:7f00:1::]",
      "[fec0::1]",
      "[fd00:ec2::254]",
      "[::]",
      "0.0.0.0",
      "169.254.169.254",
      "metadata.google.internal",
    ];
    for (const host of hosts) {
      await assert.rejects(
        client.request(`http://${host}:${port}/`),
        code("ERR_OUTBOUND_ADDRESS"),
        host,
      );
    }
    assert.equal(receiver.received.length, 0);
  });

  it("allows loopback for an operator's address, never metadata; deny_private rejects both", async () => {
    assert.equal(await client.refusal(receiver.url, "operator"), null);
    assert.notEqual(await client.refusal("http://169.254.169.254/", "operator"), null);
    assert.notEqual(await client.refusal("http://[::ffff:169.254.169.254]/", "operator"), null);
    const strict = new OutboundClient({ denyPrivate: true });
    await assert.rejects(
      strict.request(receiver.url, { policy: "operator" }),
      code("ERR_OUTBOUND_ADDRESS"),
    );
  });

  it("rejects a name with one forbidden address", async () => {
    const resolve = async () => [
      { address: "1.1.1.1", family: 4 },
      { address: "127.0.0.1", family: 4 },
    ];
    const mixed = new OutboundClient({ denyPrivate: false, resolve });
    await assert.rejects(mixed.request("http://example.org/"), code("ERR_OUTBOUND_ADDRESS"));
  });

  it("connects to the checked address, and looks the name up once", async () => {
    const { port } = new URL(receiver.url);
    const asked: string[] = [];
    const resolve = async (name: string) => {
      asked.push(name);
      return [{ address: asked.length === 1 ? "127.0.0.1" : "127.0.0.2", family: 4 }];
    };
    const rebinding = new OutboundClient({ denyPrivate: false, resolve });
    const answer = await rebinding.request(`http://rebinding.example:${port}/`, {
      policy: "operator",
    });
    assert.equal(answer.status, 204);
    assert.deepEqual(asked, ["rebinding.example"]);
    assert.equal(receiver.received[0]?.headers.host, `rebinding.example:${port}`);
  });

  it("returns a redirect without following it", async () => {
    const other = await startReceiver();
    receiver.answer = (res) => res.writeHead(302, { Location: other.url }).end();
    assert.equal((await client.request(receiver.url, { policy: "operator" })).status, 302);
    assert.equal(other.received.length, 0);
    await other.close();
  });

  it("aborts a request with a slow response", async () => {
    receiver.answer = (res) => {
      res.writeHead(200);
      const timer = setInterval(() => res.write("."), 20);
      res.once("close", () => clearInterval(timer));
    };
    const request = client.request(receiver.url, { policy: "operator", timeoutMs: 150 });
    await assert.rejects(request, code("ERR_OUTBOUND_TIMEOUT"));
  });

  it("stops reading an endless response at the limit", async () => {
    let written = 0;
    receiver.answer = (res) => {
      const more = (): void => {
        while (!res.destroyed) {
          written += 16_384;
          if (!res.write(Buffer.alloc(16_384))) break;
        }
      };
      res.on("drain", more);
      more();
    };
    const options = { policy: "operator", maxBytes: 65_536 } as const;
    const answer = await client.request(receiver.url, { ...options, overflow: "discard" });
    assert.equal(answer.body.length, 65_536);
    assert.ok(written < 20_000_000, `${written} bytes`);
    await assert.rejects(client.request(receiver.url, options), code("ERR_OUTBOUND_TOO_LARGE"));
  });

  it("reports a truncated response, and a connection closed without one", async () => {
    receiver.answer = (res) => {
      res.writeHead(200, { "Content-Length": "100" });
      res.write("part", () => res.destroy());
    };
    await assert.rejects(
      client.request(receiver.url, { policy: "operator" }),
      code("ERR_OUTBOUND_NETWORK"),
    );
    receiver.answer = (res) => res.destroy();
    await assert.rejects(
      client.request(receiver.url, { policy: "operator" }),
      code("ERR_OUTBOUND_NETWORK"),
    );
  });

  it("accepts a response of exactly the limit, and rejects header injection", async () => {
    receiver.answer = (res) => res.end("0123456789");
    const options = { policy: "operator", maxBytes: 10 } as const;
    assert.equal((await client.request(receiver.url, options)).body.length, 10);
    const headers = { "X-A": "1\r\nX-B: 2" };
    await assert.rejects(client.request(receiver.url, { ...options, headers }));
    assert.equal(receiver.received.length, 1);
  });

  it("sends the bytes of the body with their length", async () => {
    const body = Buffer.from([0, 255, 10, 13]);
    await client.request(receiver.url, { method: "POST", body, policy: "operator" });
    assert.equal(receiver.received[0]?.headers["content-length"], "4");
    assert.ok(receiver.received[0]?.body.equals(body));
  });

  it("aborts with its signal", async () => {
    receiver.answer = () => undefined;
    const controller = new AbortController();
    const request = client.request(receiver.url, { policy: "operator", signal: controller.signal });
    await receiver.count(1);
    controller.abort();
    await assert.rejects(request, code("ERR_OUTBOUND_NETWORK"));
  });
});
