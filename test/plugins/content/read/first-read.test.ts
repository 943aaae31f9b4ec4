import assert from "node:assert/strict";
import { join } from "node:path";
import { rm, writeFile } from "node:fs/promises";
import { runAtOnce } from "#lib/concurrency";
import { FirstRead } from "../../../../plugins/content/read/read-source.js";
import { readTree } from "../../../../plugins/content/read/read-tree.js";
import { PageLoader } from "../../../../plugins/content/view/page-loader.js";
import { contentRules, indexOf } from "../../../support/content/content-tree.js";
import { fakeHooks } from "../../../support/fake-hooks.js";
import { useFolder } from "../../../support/folder.js";

describe("FirstRead", () => {
  const folder = useFolder();
  const text = "---\ntitle: Ü\n---\nbody ü";

  it("has the bytes of each page that a walk read, once, and then the loader reads the file", async () => {
    const firstRead = new FirstRead();
    await writeFile(join(folder.path, "a.md"), text);
    await writeFile(join(folder.path, "broken.md"), "---\ntitle: [\n---\n");
    const { records } = runAtOnce(
      readTree({ ...contentRules, root: folder.path }, null, { firstRead }),
    );
    const index = indexOf({ "a.md": text });
    const entry = index.bySource.get("a.md");
    assert.ok(entry);
    assert.equal(records.get("a.md")?.hash, entry.hash);
    assert.equal(firstRead.take(records.get("broken.md")?.hash ?? ""), undefined);
    const loader = new PageLoader({
      root: folder.path,
      firstRead,
      hooks: fakeHooks(),
      index: () => index,
      refresh: async () => undefined,
      media: async () => [],
      isWatching: () => false,
    });
    await rm(join(folder.path, "a.md"));
    assert.deepEqual(loader.version(entry), { raw: text, body: "body ü" });
    assert.equal(loader.version(entry), null);
  });

  it("has files of all sizes, no more than its memory, and nothing after it was closed", () => {
    const firstRead = new FirstRead();
    const sizes = [1, 0, 3_000_000, 2_000_000, 4_194_304];
    for (const size of sizes) firstRead.add(String(size), Buffer.alloc(size, size % 251));
    for (const size of sizes) {
      assert.deepEqual(firstRead.take(String(size)), Buffer.alloc(size, size % 251));
    }
    firstRead.add("too large", Buffer.alloc(4_194_305));
    assert.equal(firstRead.take("too large"), undefined);
    const large = Buffer.alloc(4_000_000);
    for (let nth = 0; nth < 80; nth += 1) firstRead.add(`${nth}`, large);
    const kept = Array.from({ length: 80 }, (_, nth) => firstRead.take(`${nth}`));
    assert.equal(kept.filter((bytes) => bytes !== undefined).length, 64);
    firstRead.add("more", Buffer.from("a"));
    firstRead.close();
    firstRead.add("after", Buffer.from("a"));
    assert.deepEqual([firstRead.take("more"), firstRead.take("after")], [undefined, undefined]);
  });
});
