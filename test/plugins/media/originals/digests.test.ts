import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { appendFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { Digests, ReadBuffers } from "../../../../plugins/media/originals/originals.js";
import { openInside } from "../../../../plugins/media/originals/open-file.js";
import { useFolder } from "../../../support/folder.js";
import { testCaches } from "../../../support/test-caches.js";

describe("Digests", () => {
  const folder = useFolder();
  async function digest(digests: Digests, name: string): Promise<string> {
    const opened = await openInside(folder.path, join(folder.path, name));
    assert.ok(opened);
    const { digest: result, loan } = await digests.of(opened);
    loan?.end();
    assert.ok((await opened.handle.stat()).size > 0, "the file is still open");
    await opened.handle.close();
    return result;
  }

  it("differ for different bytes only", async () => {
    const digests = new Digests(new ReadBuffers(), { cache: testCaches() });
    await writeFile(join(folder.path, "a"), "one");
    await writeFile(join(folder.path, "b"), "one");
    await writeFile(join(folder.path, "c"), "two");
    const [a, b, c] = await Promise.all(["a", "b", "c"].map((name) => digest(digests, name)));
    assert.match(a ?? "", /^[0-9a-f]{32}$/);
    assert.equal(a, b);
    assert.notEqual(a, c);
  });

  it("reads a changed file again and reports the old digest", async () => {
    const gone: string[] = [];
    const digests = new Digests(new ReadBuffers(), {
      cache: testCaches(),
      onChange: (old) => void gone.push(old),
    });
    await writeFile(join(folder.path, "a"), "one");
    const before = await digest(digests, "a");
    assert.equal(await digest(digests, "a"), before);
    await writeFile(join(folder.path, "a"), "two");
    assert.notEqual(await digest(digests, "a"), before);
    assert.deepEqual(gone, [before]);
  });

  const open = async (name: string) => {
    const opened = await openInside(folder.path, join(folder.path, name));
    return opened ?? assert.fail("no such file");
  };

  it("returns the bytes it has read, once, of any size", async () => {
    for (const size of [0, 1, 524_288, 1_300_000]) {
      const digests = new Digests(new ReadBuffers(), { cache: testCaches() });
      const bytes = Buffer.alloc(size, `${size} `);
      await writeFile(join(folder.path, "a"), bytes);
      const opened = await open("a");
      const first = await digests.of(opened);
      const expected = createHash("sha256").update(bytes).digest("hex").slice(0, 32);
      assert.deepEqual([first.digest, first.loan?.bytes], [expected, bytes]);
      assert.deepEqual(await digests.of(opened), { digest: expected, loan: null });
      await opened.handle.close();
    }
  });

  it("returns no bytes of a file that changes while it is read", async () => {
    await writeFile(join(folder.path, "a"), Buffer.alloc(2_000_000));
    const opened = await open("a");
    const reading = new Digests(new ReadBuffers(), { cache: testCaches() }).of(opened);
    await appendFile(join(folder.path, "a"), "x");
    assert.equal((await reading).loan, null);
    await opened.handle.close();
  });

  it("reads once for concurrent callers, and keeps the bytes of few files in memory", async () => {
    const digests = new Digests(new ReadBuffers(), { cache: testCaches() });
    const names = ["a", "b", "c", "d", "e"];
    for (const name of names)
      await writeFile(join(folder.path, name), Buffer.alloc(1_500_000, name));
    const handles = await Promise.all([...names, "a", "a"].map(open));
    const made = await Promise.all(handles.map((opened) => digests.of(opened)));
    assert.equal(new Set(made.map(({ digest }) => digest)).size, names.length);
    assert.equal(made.filter(({ loan }) => loan !== null).length, 2);
    assert.deepEqual([made[5]?.loan, made[6]?.loan], [null, null]);
    await Promise.all(handles.map(({ handle }) => handle.close()));
  });
});
