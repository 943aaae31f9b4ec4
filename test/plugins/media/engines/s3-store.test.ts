import assert from "node:assert/strict";
import type { ImageStore } from "../../../../plugins/media/contract.js";
import { S3Error } from "../../../../plugins/media/engines/s3-client.js";
import { S3Store, type S3StoreOptions } from "../../../../plugins/media/engines/variant-stores.js";
import {
  imageStoreContract,
  storedImage,
} from "../../../../plugins/media/testing/image-contracts.js";
import { useS3 } from "../../../support/services.js";

/** The server responds 500 while it deletes the same object or its folder; S3 does not. */
function tryingAgain(store: ImageStore): ImageStore {
  const again = async <T>(work: () => Promise<T>, left = 50): Promise<T> => {
    try {
      return await work();
    } catch (error) {
      const isOfServer = error instanceof S3Error && error.code === "InternalError";
      if (!isOfServer || left === 0) throw error;
      return again(work, left - 1);
    }
  };
  return {
    get: (key) => again(() => store.get(key)),
    put: (key, image) => again(() => store.put(key, image)),
    delete: (original) => again(() => store.delete(original)),
    clear: () => again(() => store.clear()),
  };
}

type Server = Awaited<ReturnType<typeof useS3>>;
const original = "c".repeat(32);
const key = (variant: string) => ({ original, variant });

describe("the S3 store", () => {
  let server: Server;
  const opened: S3Store[] = [];
  before(async function () {
    server = await useS3(this);
  });
  afterEach(async () => {
    for (const store of opened.splice(0)) {
      await store.clear().catch(() => undefined);
      await store.close();
    }
  });

  function open(options: Partial<S3StoreOptions> = {}): ImageStore {
    const { endpoint, bucket, accessKeyId, secretAccessKey } = server;
    const keys = { accessKeyId, secretAccessKey };
    const place = { endpoint, bucket, region: "us-east-1", prefix: "" };
    const store = new S3Store({ ...keys, ...place, ...options });
    opened.push(store);
    return tryingAgain(store);
  }
  const put = (name: string, body: string) =>
    server.fetch(`${server.bucket}/${name}`, { method: "PUT", body });
  const names = () => server.keys(server.bucket);

  imageStoreContract(() => open());

  it("shares variants with other nodes", async () => {
    await open().put(key("w1"), storedImage(100));
    assert.deepEqual(await open().get(key("w1")), storedImage(100));
  });

  it("deletes page by page, and nothing outside of its prefix", async () => {
    const store = open({ prefix: "one/", pageSize: 3 });
    const other = open({ prefix: "two/" });
    const longer = { original: `${original}0`, variant: "w1" };
    for (let at = 0; at < 10; at += 1) await store.put(key(`w${at}`), storedImage(10));
    await store.put(longer, storedImage(10));
    await other.put(key("w1"), storedImage(10));
    await put("one/uploads/file.txt", "not a variant");
    await store.delete(original);
    assert.equal(await store.get(key("w9")), null);
    assert.deepEqual(await store.get(longer), storedImage(10));
    for (let at = 0; at < 10; at += 1) await store.put(key(`w${at}`), storedImage(10));
    await store.clear();
    assert.deepEqual(await names(), ["one/uploads/file.txt", `two/variants/${original}/w1`]);
  });

  it("ignores objects that are truncated, modified or written by others", async () => {
    const store = open();
    await store.put(key("w1"), storedImage(100));
    const name = `variants/${original}/w1`;
    const found = await server.fetch(`${server.bucket}/${name}`);
    const text = Buffer.from(await found.arrayBuffer()).toString("latin1");
    assert.ok(text.length > 100);
    for (const damaged of [text.slice(0, -1), "\n", "no header\nbytes", "{}\n"]) {
      await put(name, damaged);
      assert.equal(await store.get(key("w1")), null, damaged);
    }
  });

  const failures: [string, Partial<S3StoreOptions>, RegExp][] = [
    ["a missing bucket", { bucket: "missing" }, /NoSuchBucket/],
    ["an unknown access key", { accessKeyId: "UNKNOWN" }, /InvalidAccessKeyId/],
    ["a server that is down", { endpoint: "http://127.0.0.1:1" }, /ECONNREFUSED/],
  ];
  for (const [what, options, reason] of failures) {
    it(`throws with the reason for ${what}, without the secret`, async () => {
      const store = open({ ...options, secretAccessKey: "very-secret" });
      for (const call of [
        () => store.get(key("w1")),
        () => store.put(key("w1"), storedImage(10)),
        () => store.delete(original),
        () => store.clear(),
      ]) {
        await assert.rejects(call(), (error) => {
          assert.match(String(error), reason);
          assert.ok(!String(error).includes("very-secret"));
          return true;
        });
      }
    });
  }
});
