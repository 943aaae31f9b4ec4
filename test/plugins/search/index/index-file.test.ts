import assert from "node:assert/strict";
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { SearchEngine } from "../../../../plugins/search/contract.js";
import { fingerprints, IndexFile } from "../../../../plugins/search/index/index-file.js";
import { Sources } from "../../../../plugins/search/index/sources.js";
import { Texts } from "../../../../plugins/search/index/texts.js";
import { bootSite, type TestSite } from "../../../support/sites/boot-site.js";
import { useFolder } from "../../../support/folder.js";
import { testCaches } from "../../../support/test-caches.js";

describe("the index of the last run", () => {
  const folder = useFolder();
  let site: TestSite;
  before(async () => {
    site = await bootSite({
      files: { "content/a.md": "# A", "content/b.md": "# B" },
      plugins: ["search"],
    });
  });
  after(() => site.close());

  async function sources(): Promise<Sources> {
    const context = site.site.context("search");
    const collected = new Sources(context, new Texts(context, testCaches()));
    await collected.collect();
    return collected;
  }
  const open = (rest = {}): IndexFile =>
    new IndexFile({ folder: folder.path, engine: "builtin", settings: { a: 1 }, ...rest });
  const engine = (rest: Partial<SearchEngine> = {}): SearchEngine => ({
    build: async () => undefined,
    update: async () => undefined,
    search: () => ({ total: 0, hits: [] }),
    suggest: () => [],
    save: async () => Buffer.from("state"),
    load: async (bytes) => Buffer.from(bytes).toString() === "state",
    ...rest,
  });

  it("is restored with the fingerprint of each document", async () => {
    const collected = await sources();
    await open().save(engine(), collected);
    assert.deepEqual(await open().load(engine()), await fingerprints(collected));
    assert.equal((await fingerprints(collected)).size, collected.size);
  });

  it("marks a page whose text could not be read", async () => {
    const context = site.site.context("search");
    const texts = new Texts(context, testCaches());
    const collected = new Sources(context, texts);
    await collected.collect();
    texts.unread.add("/a");
    await open().save(engine(), collected);
    const expected = new Map([...(await fingerprints(collected)), ["/a", ""]]);
    assert.deepEqual(await open().load(engine()), expected);
  });

  for (const [what, file, other] of [
    ["of another engine", { engine: "other" }, {}],
    ["of other settings", { settings: { a: 2 } }, {}],
    ["that the engine refuses", {}, { load: async () => false }],
    ["for an engine that cannot update", {}, { update: undefined }],
  ] as const) {
    it(`is null ${what}`, async () => {
      await open().save(engine(), await sources());
      const { update: _update, ...without } = engine();
      const asked = "update" in other ? without : engine(other);
      assert.equal(await open(file).load(asked), null);
    });
  }

  for (const [name, text] of [
    ["search-index.bin", "stat"],
    ["search-index.json", "{"],
    ["search-index.json", "null"],
    ["search-index.json", "{}"],
  ] as const) {
    it(`is null when ${name} contains ${text}`, async () => {
      await open().save(engine(), await sources());
      assert.ok((await readFile(join(folder.path, name))).length > 0);
      await writeFile(join(folder.path, name), text);
      assert.equal(await open().load(engine()), null);
    });
  }

  it("is null when it does not exist", async () => assert.equal(await open().load(engine()), null));
});
