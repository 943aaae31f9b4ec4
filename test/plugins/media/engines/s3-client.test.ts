import assert from "node:assert/strict";
import { once } from "node:events";
import { createServer, type IncomingMessage, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { Readable } from "node:stream";
import { text } from "node:stream/consumers";
import { S3Client, type S3Request } from "../../../../plugins/media/engines/s3-client.js";
import { S3Objects } from "../../../../plugins/media/bucket.js";
import { until } from "../../../support/until.js";

interface Reply {
  readonly status: number;
  readonly body?: string;
  readonly headers?: Record<string, string>;
}

const list = (content: string): string =>
  `<ListBucketResult xmlns="http://s3.amazonaws.com/doc/2006-03-01/">${content}</ListBucketResult>`;
const failure = (code: string): string =>
  `<Error><Code>${code}</Code><Message>it &lt;failed&gt;</Message></Error>`;

describe("the S3 client", () => {
  let server: Server;
  let seen: { message: IncomingMessage; body: string }[];
  let replies: Reply[];
  let client: S3Client;
  beforeEach(async () => {
    [seen, replies] = [[], []];
    server = createServer((message, response) => {
      void text(message).then((body) => {
        seen.push({ message, body });
        const reply = replies.shift();
        // Without a reply the request hangs.
        if (reply !== undefined) response.writeHead(reply.status, reply.headers).end(reply.body);
      });
    }).listen(0, "127.0.0.1");
    await once(server, "listening");
    client = new S3Client(bucket());
  });
  afterEach(() => {
    client.close();
    server.closeAllConnections();
    server.close();
  });

  function bucket() {
    const { port } = server.address() as AddressInfo;
    return {
      bucket: "my-images",
      region: "eu-central-1",
      endpoint: `http://127.0.0.1:${port}/`,
      accessKeyId: "ID",
      secretAccessKey: "SECRET",
    };
  }

  it("signs requests for the region, with the digest of bytes", async () => {
    replies = [{ status: 200 }];
    await client.text({ method: "PUT", key: "a b/(1)+é.txt", body: Buffer.from("text") });
    const [{ message, body } = assert.fail()] = seen;
    assert.equal(message.url, "/my-images/a%20b/%281%29%2B%C3%A9.txt");
    assert.match(
      String(message.headers.authorization),
      /^AWS4-HMAC-SHA256 Credential=ID\/\d{8}\/eu-central-1\/s3\/aws4_request, SignedHeaders=host;/,
    );
    assert.match(String(message.headers["x-amz-content-sha256"]), /^982d9e3eb996f559/);
    assert.equal(message.headers["content-length"], "4");
    assert.equal(body, "text");
  });

  it("repeats a request after a passing failure, three times at most", async () => {
    replies = [{ status: 503 }, { status: 500, body: failure("InternalError") }, { status: 200 }];
    await client.text({ method: "GET", key: "a" });
    replies = [{ status: 503 }, { status: 503 }, { status: 503, body: failure("SlowDown") }];
    await assert.rejects(client.text({ method: "GET", key: "a" }), {
      name: "SlowDown",
      status: 503,
      message: "it <failed>",
    });
    assert.equal(seen.length, 6);
  });

  const sentOnce: [string, Reply, Partial<S3Request>][] = [
    ["with a stream", { status: 503 }, { method: "PUT", body: streamOf("text") }],
    ["that is rejected", { status: 403, body: failure("AccessDenied") }, {}],
  ];
  for (const [what, reply, request] of sentOnce) {
    it(`sends a request ${what} once`, async () => {
      replies = [reply];
      await assert.rejects(client.text({ method: "GET", key: "a", ...request }));
      assert.equal(seen.length, 1);
    });
  }

  it("sends a stream with its length", async () => {
    replies = [{ status: 200 }];
    await client.text({ method: "PUT", key: "a", body: streamOf("text") });
    const [{ message, body } = assert.fail()] = seen;
    assert.equal(message.headers["content-length"], "4");
    assert.equal(message.headers["x-amz-content-sha256"], "UNSIGNED-PAYLOAD");
    assert.equal(body, "text");
  });

  it("fails with the error of a stream that breaks", async () => {
    const stream = Readable.from(
      (async function* () {
        yield "te";
        throw new Error("the disk failed");
      })(),
    );
    await assert.rejects(
      client.text({ method: "PUT", key: "a", body: { stream, size: 4 } }),
      /the disk failed/,
    );
  });

  it("ends a request at the limit of its signal", async () => {
    const limit = new AbortController();
    const request = client.text({ method: "GET", key: "a", signal: limit.signal });
    void until(() => seen.length === 1).then(() =>
      limit.abort(new DOMException("too late", "TimeoutError")),
    );
    await assert.rejects(request, { name: "TimeoutError" });
    assert.equal(seen.length, 1);
  });

  it("lists page by page", async () => {
    replies = [
      {
        status: 200,
        body: list(
          "<Contents><Key>a&amp;b</Key><Size>3</Size></Contents><NextContinuationToken>t+1/=</NextContinuationToken>",
        ),
      },
      { status: 200, body: list("<Contents><Key>c</Key><Size>4</Size></Contents>") },
    ];
    const found = [];
    for await (const page of client.list("p/", { pageSize: 1 })) found.push(...page);
    assert.deepEqual(found, [
      { key: "a&b", size: 3 },
      { key: "c", size: 4 },
    ]);
    assert.deepEqual(
      seen.map(({ message }) => message.url?.split("?")[1]),
      [
        "list-type=2&prefix=p%2F&max-keys=1",
        "list-type=2&prefix=p%2F&max-keys=1&continuation-token=t%2B1%2F%3D",
      ],
    );
  });

  it("does not read entities that a response declares", async () => {
    const body = `<!DOCTYPE a [<!ENTITY x "y">]>${list("<Contents><Key>&x;</Key></Contents>")}`;
    replies = [{ status: 200, body }];
    await assert.rejects(client.xml({ method: "GET" }), /entity/);
  });

  it("finds no object for a 404, and the facts of one that exists", async () => {
    const objects = new S3Objects({ ...bucket(), prefix: "uploads/" });
    const headers = {
      "content-length": "12",
      etag: '"e1"',
      "last-modified": "Wed, 21 Oct 2015 07:28:00 GMT",
    };
    replies = [{ status: 404 }, { status: 200, headers }, { status: 403 }];
    assert.equal(await objects.find("a"), null);
    const mtimeMs = Date.UTC(2015, 9, 21, 7, 28);
    assert.deepEqual(await objects.find("a"), { size: 12, etag: '"e1"', mtimeMs });
    await assert.rejects(objects.find("a"), { name: "Forbidden" });
    await objects.close();
  });
});

function streamOf(content: string): { stream: Readable; size: number } {
  return { stream: Readable.from([Buffer.from(content)]), size: content.length };
}
