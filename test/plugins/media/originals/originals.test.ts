import assert from "node:assert/strict";
import { rm, truncate, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { Originals, type Original } from "../../../../plugins/media/originals/originals.js";
import { useFolder } from "../../../support/folder.js";
import { testCaches } from "../../../support/test-caches.js";

describe("Originals", () => {
  const folder = useFolder();
  const file = (): string => join(folder.path, "a.jpg");

  async function found(originals: Originals): Promise<Original> {
    return (await originals.find(file())) ?? assert.fail("not found");
  }

  it("returns an original with its bytes, and reads them again", async () => {
    const bytes = Buffer.alloc(1_300_000, "picture ");
    await writeFile(file(), bytes);
    const originals = new Originals(folder.path, { cache: testCaches() });
    const original = await found(originals);
    assert.deepEqual(original.loan?.bytes, bytes);
    original.loan?.end();
    assert.deepEqual((await originals.read(original)).bytes, bytes);
  });

  it("returns null for missing files and files outside of its folder", async () => {
    const originals = new Originals(join(folder.path, "content"), { cache: testCaches() });
    await writeFile(file(), "outside");
    assert.equal(await originals.find(file()), null);
    assert.equal(await originals.find(join(folder.path, "content/b.jpg")), null);
  });

  it("rejects an original of more than 25 MB", async () => {
    await writeFile(file(), "");
    await truncate(file(), 25 * 1024 * 1024 + 1);
    await assert.rejects(new Originals(folder.path, { cache: testCaches() }).find(file()), {
      code: "ERR_MEDIA_IMAGE",
    });
  });

  it("reports when an original was changed or deleted", async () => {
    await writeFile(file(), "one");
    const originals = new Originals(folder.path, { cache: testCaches() });
    const original = await found(originals);
    await writeFile(file(), "another");
    await assert.rejects(originals.read(original), { code: "ERR_MEDIA_BUSY" });
    await rm(file());
    await assert.rejects(originals.read(original), { status: 404 });
  });
});
