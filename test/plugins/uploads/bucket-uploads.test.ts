import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { bootSite, type TestSite } from "../../support/sites/boot-site.js";
import { useS3 } from "../../support/services.js";
import { startTcpProxy, type TcpProxy } from "../../support/servers/tcp-proxy.js";

const PLUGINS = ["uploads", "media", "security", "content", "render", "pages", "health"];
const JPEG = Buffer.concat([
  Buffer.from("ffd8ffe000104a46494600010100000100010000", "hex"),
  Buffer.alloc(300_000, 7),
]);

describe("uploads in a bucket", () => {
  let server: Awaited<ReturnType<typeof useS3>>;
  let proxy: TcpProxy;
  const nodes: TestSite[] = [];
  beforeEach(async function () {
    server = await useS3(this);
    proxy = await startTcpProxy(server.endpoint);
  });
  afterEach(async () => {
    await proxy.restore();
    for (const node of nodes.splice(0)) await node.close();
    await proxy.close();
  });

  async function boot({ max = 10, keys = true } = {}): Promise<TestSite> {
    const { bucket, accessKeyId, secretAccessKey } = server;
    const uploadStore = { type: "s3", bucket, endpoint: proxy.url, prefix: "notes" };
    const node = await bootSite({
      plugins: PLUGINS,
      settings: {
        site: { uploads: { max_size_mb: 1, max_total_mb: max }, health_token: "0123456789abcdef" },
        system: { uploadStore, server: { rate_limit: false } },
      },
      env: keys
        ? { SITE_S3_ACCESS_KEY_ID: accessKeyId, SITE_S3_SECRET_ACCESS_KEY: secretAccessKey }
        : {},
    });
    nodes.push(node);
    return node;
  }

  async function post(node: TestSite, bytes = JPEG, name = "a.jpg") {
    const body = new FormData();
    body.set("file", new Blob([new Uint8Array(bytes)]), name);
    const answer = await node.fetch("/api/upload", { method: "POST", body });
    const { url = "" } = (await answer.json()) as { url?: string };
    return { status: answer.status, headers: answer.headers, url };
  }
  const digest = (bytes: ArrayBuffer | Buffer) =>
    createHash("sha256")
      .update(Buffer.from(bytes as Buffer))
      .digest("hex");

  it("are served by a node that did not receive them, with type, validators and parts", async () => {
    const [a, b] = [await boot(), await boot()];
    const { status, url } = await post(a);
    assert.equal(status, 201);
    const whole = await b.fetch(url);
    assert.equal(digest(await whole.arrayBuffer()), digest(JPEG));
    assert.deepEqual(
      ["content-type", "content-length", "content-disposition"].map((name) =>
        whole.headers.get(name),
      ),
      ["image/jpeg", String(JPEG.length), "attachment"],
    );
    assert.match(whole.headers.get("cache-control") ?? "", /immutable/);
    const etag = whole.headers.get("etag") ?? "";
    assert.equal((await b.fetch(url, { headers: { "if-none-match": etag } })).status, 304);
    const head = await b.fetch(url, { method: "HEAD" });
    assert.deepEqual([head.status, head.headers.get("content-length")], [200, String(JPEG.length)]);
    const part = await b.fetch(url, { headers: { range: "bytes=2-5" } });
    assert.deepEqual(
      [part.status, part.headers.get("content-range"), Buffer.from(await part.arrayBuffer())],
      [206, `bytes 2-5/${JPEG.length}`, JPEG.subarray(2, 6)],
    );
    assert.equal((await b.fetch(url, { headers: { range: "bytes=900000-" } })).status, 416);
    assert.equal((await b.fetch(`/uploads/${"0".repeat(32)}.jpg`)).status, 404);
    assert.equal((await b.fetch("/uploads/..%2fsite.yaml")).status, 404);
  });

  it("that are rejected leave nothing, neither here nor there", async () => {
    const node = await boot({ max: 0.5 });
    assert.equal((await post(node)).status, 201);
    assert.equal((await post(node)).status, 507);
    assert.equal((await post(node, Buffer.from("<script>"), "a.jpg")).status, 415);
    assert.equal((await post(await boot({ max: 0.5 }))).status, 507);
    assert.deepEqual(await readdir(join(node.root, ".dune/admin/uploads")).catch(() => []), []);
    assert.deepEqual(await readdir(join(node.root, "data/uploads")).catch(() => []), []);
  });

  it("are 503 while the bucket is away, and again afterwards; pages are served", async () => {
    const node = await boot();
    const { url } = await post(node);
    await proxy.cut();
    const answers = [await node.fetch(url), await post(node)];
    for (const { status, headers } of answers) {
      assert.deepEqual([status, headers.get("retry-after")], [503, "5"]);
    }
    assert.equal((await node.fetch("/api/pages?limit=1")).status, 200);
    await proxy.restore();
    assert.equal((await node.fetch(url)).status, 200);
    assert.equal((await post(node)).status, 201);
  });

  it("need keys", async () => {
    await assert.rejects(boot({ keys: false }), { code: "ERR_MEDIA_S3_CREDENTIALS" });
  });
});
