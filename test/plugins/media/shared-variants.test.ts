import assert from "node:assert/strict";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { RecordedLog } from "#testing";
import { bootSite, type BootOptions, type TestSite } from "../../support/sites/boot-site.js";
import { picture } from "../../support/content/pictures.js";
import { useS3 } from "../../support/services.js";
import { startTcpProxy, type TcpProxy } from "../../support/servers/tcp-proxy.js";
import { until } from "../../support/until.js";

const TOKEN = "health-token-of-the-test";

describe("image variants of two nodes in one bucket", () => {
  let server: Awaited<ReturnType<typeof useS3>>;
  let proxy: TcpProxy;
  let nodes: TestSite[] = [];
  let log: RecordedLog;
  let image: Buffer;
  before(async () => void (image = await picture(400, 400)));
  beforeEach(async function () {
    server = await useS3(this);
    proxy = await startTcpProxy(server.endpoint);
    log = new RecordedLog();
  });
  afterEach(async () => {
    await proxy.restore();
    for (const node of nodes) await node.close();
    nodes = [];
    await proxy.close();
  });

  async function boot(store: object = {}, env: BootOptions["env"] = {}): Promise<TestSite> {
    const { bucket, accessKeyId, secretAccessKey } = server;
    const imageStore = { type: "s3", bucket, endpoint: proxy.url.replace(/\/$/, ""), ...store };
    const node = await bootSite({
      plugins: ["content", "media", "health"],
      files: { "content/01.home/a.png": image, "content/01.home/default.md": "# x" },
      settings: { system: { imageStore }, site: { health_token: TOKEN } },
      env: {
        SITE_S3_ACCESS_KEY_ID: accessKeyId,
        SITE_S3_SECRET_ACCESS_KEY: secretAccessKey,
        ...env,
      },
      log: log.logger,
    });
    nodes.push(node);
    return node;
  }

  async function get(node: TestSite, query: string): Promise<string | null> {
    const response = await node.fetch(`/a.png?${query}`);
    assert.equal(response.status, 200);
    assert.ok((await response.arrayBuffer()).byteLength > 0);
    return response.headers.get("x-site-image");
  }
  const health = async (node: TestSite): Promise<string> =>
    (await node.fetch(`/health?detailed=true&token=${TOKEN}`)).text();
  const DOWN = /the store of image variants does not respond/;
  const isDown = async (node: TestSite): Promise<boolean> => DOWN.test(await health(node));
  /** Distinct variants. */
  const queries = (from: number): string[] =>
    Array.from({ length: 5 }, (_, at) => `w=320&format=webp&q=${from + at}`);

  it("serves a variant of the first node on the second without processing it", async () => {
    const first = await boot();
    assert.equal(await get(first, "w=320"), "processed");
    // Closing waits until the variant is stored.
    await nodes.pop()?.close();
    const second = await boot();
    assert.equal(await get(second, "w=320"), "cache-hit");
    assert.equal(second.site.use("media").stats().processed, 0);
    assert.equal(existsSync(join(second.root, ".dune/cache/images")), false);
  });

  it("purges the variants of all nodes", async () => {
    const first = await boot();
    await get(first, "w=320");
    await first.site.use("media").purge();
    assert.equal(await get(await boot(), "w=320"), "processed");
  });

  const wrong: [string, object, BootOptions["env"]][] = [
    ["the bucket is missing", { bucket: "missing" }, {}],
    ["the credentials are wrong", {}, { SITE_S3_ACCESS_KEY_ID: "UNKNOWN" }],
    ["nothing listens", { endpoint: "http://127.0.0.1:1" }, {}],
  ];
  for (const [what, store, env] of wrong) {
    it(`generates and serves images while ${what}, and reports that once`, async () => {
      const node = await boot(store, env);
      for (const query of queries(30)) assert.equal(await get(node, query), "processed");
      assert.equal(await get(node, "w=320&format=webp&q=30"), "cache-hit", "from memory");
      await until(() => log.of("media.image_store_down").length === 2);
      assert.ok(await isDown(node));
      assert.deepEqual(log.of("media.store_failed"), []);
      await assert.rejects(node.site.use("media").purge(), {
        code: "ERR_MEDIA_STORE_DOWN",
        status: 503,
      });
    });
  }

  for (const fail of ["cut", "freeze"] as const) {
    it(`serves images while the server is away (${fail}), and stores them again later`, async () => {
      const node = await boot();
      await get(node, "w=320");
      await node.site.use("media").purge();
      await proxy[fail]();
      for (const query of queries(30)) assert.equal(await get(node, query), "processed");
      assert.ok(await isDown(node));
      const reads = () =>
        log.of("media.image_store_down").filter(({ fields }) => fields["call"] === "read");
      assert.equal(reads().length, 1);
      await proxy.restore();
      let quality = 40;
      await until(async () => {
        await get(node, `w=320&format=webp&q=${(quality += 1)}`);
        return !(await isDown(node));
      });
      await get(node, "h=320");
      await nodes.pop()?.close();
      assert.equal(await get(await boot(), "h=320"), "cache-hit");
    });
  }

  for (const name of ["SITE_S3_ACCESS_KEY_ID", "SITE_S3_SECRET_ACCESS_KEY"]) {
    it(`does not start without ${name}`, async () => {
      await assert.rejects(boot({}, { [name]: undefined }), { code: "ERR_MEDIA_S3_CREDENTIALS" });
    });
  }

  const invalid: object[] = [
    { bucket: null },
    { bucket: "Upper" },
    { endpoint: "127.0.0.1:9000" },
    { endpoint: "http://user:password@host" },
    { prefix: "/absolute" },
    { prefix: "a b" },
    { region: "" },
    { type: "gcs" },
    { secret: "x" },
  ];
  for (const store of invalid) {
    it(`rejects ${JSON.stringify(store)}`, async () => {
      await assert.rejects(boot(store), { code: "ERR_CONFIG_INVALID" });
    });
  }
});
