import assert from "node:assert/strict";
import { mkdtemp, mkdir, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Readable } from "node:stream";
import { FolderUploads, UploadStore } from "../../../plugins/uploads/upload-store.js";

describe("stored uploads", () => {
  let root: string;
  let folder: string;
  beforeEach(async () => {
    root = await mkdtemp(join(tmpdir(), "site-uploads-"));
    folder = join(root, "data", "uploads");
  });
  afterEach(() => rm(root, { recursive: true, force: true }));

  const png = { extension: "png", type: "image/png" };
  const filesIn = () => new FolderUploads(folder, { sendFile: async () => false });
  const open = (maxTotalBytes = 1_000): UploadStore =>
    new UploadStore({ files: filesIn(), maxTotalBytes });
  const bytes = (size: number): Readable => Readable.from([Buffer.alloc(size, "x")]);

  it("have a random name with their extension, and no folder before the first", async () => {
    const store = open();
    await filesIn().sweep();
    assert.deepEqual(await readdir(root), []);
    const { name, size } = await store.put(bytes(10), png);
    assert.match(name, /^[0-9a-f]{32}\.png$/);
    assert.equal(size, 10);
    assert.equal(await readFile(join(folder, name), "utf8"), "x".repeat(10));
    assert.notEqual((await store.put(bytes(10), png)).name, name);
  });

  for (const name of [
    "",
    "../a.png",
    "a.png",
    `${"a".repeat(32)}`,
    `${"a".repeat(32)}.png/..`,
    `${"A".repeat(32)}.png`,
    `.tmp-${"a".repeat(16)}`,
    "__proto__",
  ]) {
    it(`do not accept ${JSON.stringify(name.slice(0, 16))} as a name`, () =>
      assert.equal(UploadStore.isName(name), false));
  }

  it("leave nothing when the stream fails", async () => {
    const broken = async function* (): AsyncGenerator<Buffer> {
      yield Buffer.from("first");
      throw new RangeError("gone");
    };
    const store = open(12);
    await assert.rejects(store.put(broken(), png), RangeError);
    assert.deepEqual(await readdir(folder), []);
    // Nor do they count.
    await store.put(bytes(12), png);
  });

  it("are rejected above the total, also concurrently and after a restart", async () => {
    const store = open();
    const outcomes = await Promise.allSettled(
      Array.from({ length: 8 }, () => store.put(bytes(300), png)),
    );
    const stored = outcomes.filter(({ status }) => status === "fulfilled");
    assert.ok(stored.length <= 3, `${stored.length} of 300 bytes are stored in 1000`);
    for (const outcome of outcomes) {
      if (outcome.status === "rejected") assert.equal(outcome.reason.status, 507);
    }
    assert.equal((await readdir(folder)).length, stored.length);
    const again = open();
    for (let at = stored.length; at < 3; at += 1) await again.put(bytes(300), png);
    await assert.rejects(again.put(bytes(300), png), { status: 507, code: "ERR_UPLOAD_FULL" });
    await again.put(bytes(100), png);
  });

  it("free space when deleted; other files are not deleted", async () => {
    const store = open(100);
    const stored = await store.put(bytes(100), png);
    await store.remove({ name: "../../x", size: 50 });
    await assert.rejects(store.put(bytes(50), png), { status: 507 });
    await store.remove(stored);
    assert.deepEqual(await readdir(folder), []);
    await store.put(bytes(100), png);
  });

  it("are swept if interrupted by a crash, and no others", async () => {
    await mkdir(folder, { recursive: true });
    await writeFile(join(folder, ".tmp-0011223344556677"), "half");
    await writeFile(join(folder, `${"a".repeat(32)}.png`), "whole");
    await filesIn().sweep();
    assert.deepEqual(await readdir(folder), [`${"a".repeat(32)}.png`]);
  });

  it("fail when the folder cannot be created", async () => {
    await writeFile(join(root, "data"), "a file");
    await assert.rejects(open().put(bytes(1), png), { code: "ENOTDIR" });
  });
});
