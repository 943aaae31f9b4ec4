import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { mkdir, readdir, readFile, truncate, utimes, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { FilesystemStore } from "../../../../plugins/media/engines/variant-stores.js";
import {
  imageStoreContract,
  storedImage,
} from "../../../../plugins/media/testing/image-contracts.js";
import { useFolder } from "../../../support/folder.js";

const original = "c".repeat(32);
const key = (variant: string) => ({ original, variant });

describe("the filesystem store", () => {
  const folder = useFolder();
  const create = (maxBytes = 1_000_000) => new FilesystemStore({ cacheDir: folder.path, maxBytes });
  const file = (variant: string) => join(folder.path, "variants", original, variant);

  imageStoreContract(() => create());

  it("keeps variants across restarts", async () => {
    await create().put(key("w1"), storedImage(100));
    assert.deepEqual(await create().get(key("w1")), storedImage(100));
  });

  it("rejects variants that are truncated, modified or written by others", async () => {
    const store = create();
    const damages: ((file: string) => Promise<void>)[] = [
      (path) => truncate(path, 150),
      (path) => truncate(path, 0),
      async (path) => {
        const bytes = await readFile(path);
        bytes[bytes.length - 5] = 99;
        await writeFile(path, bytes);
      },
      (path) => writeFile(path, "no header\nbytes"),
      (path) =>
        writeFile(path, '{"type":"text/html","width":1,"height":1,"length":1,"digest":"x"}\nx'),
      (path) => writeFile(path, "null\n"),
    ];
    for (const damage of damages) {
      await store.put(key("w1"), storedImage(100));
      await damage(file("w1"));
      assert.equal(await store.get(key("w1")), null);
      assert.deepEqual(await readdir(join(folder.path, "variants", original)), []);
    }
  });

  it("stays below its cap and evicts the least recently used variants first", async () => {
    const store = create(10_000);
    for (const name of ["w1", "w2", "w3"]) await store.put(key(name), storedImage(2_500));
    await store.get(key("w1"));
    await store.put(key("w4"), storedImage(2_500));
    const left = (await readdir(join(folder.path, "variants", original))).sort();
    assert.deepEqual(left, ["w1", "w3", "w4"]);
    await store.put(key("w9"), storedImage(20_000));
    assert.equal(await store.get(key("w9")), null, "larger than the cap: not kept");
  });

  it("counts the files of an earlier run, and deletes unfinished ones", async () => {
    const first = create();
    for (const [index, name] of ["w1", "w2", "w3"].entries()) {
      await first.put(key(name), storedImage(3_000));
      await utimes(file(name), index, index);
    }
    await writeFile(file(".tmp-dead"), "half");
    await mkdir(join(folder.path, "variants.tmp-dead"));
    const second = create(9_500);
    await second.put(key("w4"), storedImage(3_000));
    const left = (await readdir(join(folder.path, "variants", original))).sort();
    assert.deepEqual(left, ["w3", "w4"].toSorted(), "the oldest two made room");
    assert.deepEqual(await readdir(folder.path), ["variants"]);
  });

  it("deletes nothing outside its own folder", async () => {
    await writeFile(join(folder.path, "precious.txt"), "keep");
    const store = create();
    await store.put(key("w1"), storedImage(10));
    await store.clear();
    assert.deepEqual(await readdir(folder.path), ["precious.txt"]);
  });

  it("rejects a put on a full disk, still returns earlier variants, and recovers", async function () {
    const mounted = await mountTiny(folder.path);
    if (!mounted) this.skip();
    try {
      const store = create(50_000_000);
      await store.put(key("w1"), storedImage(10_000));
      await assert.rejects(store.put(key("w2"), storedImage(5_000_000)), { code: "ENOSPC" });
      assert.deepEqual(await store.get(key("w1")), storedImage(10_000));
      assert.deepEqual(await readdir(join(folder.path, "variants", original)), ["w1"]);
      await store.put(key("w3"), storedImage(10_000));
      assert.deepEqual(await store.get(key("w3")), storedImage(10_000));
    } finally {
      await promisify(execFile)("umount", [folder.path]);
    }
  });
});

/** A file system of one megabyte; false without the permission to mount. */
async function mountTiny(path: string): Promise<boolean> {
  try {
    await promisify(execFile)("mount", ["-t", "tmpfs", "-o", "size=1m", "tmpfs", path]);
    return true;
  } catch {
    return false;
  }
}
