import assert from "node:assert/strict";
import { mkdir, rm, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { ContentIndex } from "../../../../plugins/content/index/content-index.js";
import type { MediaItem, PageEntry } from "../../../../plugins/content/contract.js";
import { PageLoader, type LoaderOptions } from "../../../../plugins/content/view/page-loader.js";
import { indexOf, viewOf } from "../../../support/content/content-tree.js";
import { fakeHooks } from "../../../support/fake-hooks.js";
import { useFolder } from "../../../support/folder.js";
import { mediaItem } from "../../../support/content/markdown-pages.js";

const text = "---\ntitle: A\n---\nbody ü";

for (const isExport of [false, true])
  describe(`PageLoader${isExport ? " of an export" : ""}`, () => {
    const folder = useFolder();
    let index: ContentIndex;
    let media: readonly MediaItem[];
    const file = (): string => join(folder.path, "a.md");
    const entry = (): PageEntry => {
      const found = index.bySource.get("a.md");
      assert.ok(found);
      return found;
    };
    /** Writes a text to disk; the index reads it when the loader requests it. */
    let onDisk: string | null;
    const put = (next: string): Promise<void> => {
      onDisk = next;
      return writeFile(file(), next);
    };
    const create = (options: Partial<LoaderOptions> = {}): PageLoader =>
      new PageLoader({
        root: folder.path,
        hooks: fakeHooks(),
        index: () => index,
        refresh: async () => void (index = indexOf(onDisk === null ? {} : { "a.md": onDisk })),
        media: async () => media,
        isWatching: () => false,
        isExport,
        ...options,
      });

    beforeEach(async () => {
      media = [mediaItem("", "b.png")];
      await put(text);
      index = indexOf({ "a.md": text });
    });

    it("has the source with and without front matter, and the media", async () => {
      const page = await create().load(entry(), viewOf(index));
      assert.deepEqual(page, { entry: entry(), raw: text, body: "body ü", media });
    });

    it("returns the version of the index, and updates the index when the file has changed", async () => {
      await put(text.replace("body", "longer body"));
      const page = await create().read(entry());
      assert.equal(page?.body, "longer body ü");
      assert.equal(page.entry, index.bySource.get("a.md"));
    });

    it("never caches a text with the entry of another version", async () => {
      const known = entry();
      // The file is put back before the index has noticed.
      const restoring = create({ isWatching: () => true, refresh: () => put(text) });
      await put(text.replace("body", "other"));
      assert.equal((await restoring.read(known))?.body, "body ü");
      assert.equal((await restoring.read(known))?.body, "body ü");
      // The index does not follow: neither text belongs to the entry.
      const behind = create({ isWatching: () => true, refresh: async () => undefined });
      await put(text.replace("body", "other"));
      await assert.rejects(behind.read(known), { status: 503 });
      assert.equal(behind.version(known), null);
      await put(text);
      assert.equal((await behind.read(known))?.body, "body ü");
      assert.equal(behind.version(known)?.body, "body ü");
    });

    it("is null for a deleted file", async () => {
      const known = entry();
      await rm(file());
      onDisk = null;
      assert.equal(await create().read(known), null);
      await assert.rejects(create().load(known, viewOf(index)), { status: 404 });
    });

    it("follows no link out of the folder", async () => {
      const known = entry();
      const root = join(folder.path, "content");
      await mkdir(root);
      await symlink(file(), join(root, "a.md"));
      onDisk = null;
      assert.equal(await create({ root }).read(known), null);
    });

    it("responds 404 to viewers without access to the page, before and after it is read", async () => {
      const gated = "---\nroles: member\n---\nsecret";
      const view = viewOf(index);
      const known = entry();
      await put(gated);
      await assert.rejects(create().load(known, view), { status: 404 });
      await assert.rejects(create().load(entry(), view), { status: 404 });
    });

    it("caches pages while the folder is watched, until the entry or the media change", async () => {
      const loader = create({ isWatching: () => true });
      const first = await loader.read(entry());
      assert.equal(await loader.read(entry()), first);
      media = [];
      const second = await loader.read(entry());
      assert.deepEqual(second?.media, []);
      await put(`${text}!`);
      index = indexOf({ "a.md": `${text}!` });
      assert.equal((await loader.read(entry()))?.body, "body ü!");
    });

    it("runs the hooks for a cached page too", async () => {
      const names: string[] = [];
      const hooks = fakeHooks((name) => void names.push(name));
      const loader = create({ isWatching: () => true, hooks });
      const first = await loader.load(entry(), viewOf(index));
      assert.equal(await loader.load(entry(), viewOf(index)), first);
      assert.equal(names.length, 4);
    });

    it("reads every time while the folder is not watched", async () => {
      const loader = create();
      assert.notEqual(await loader.read(entry()), await loader.read(entry()));
    });

    it("passes media and page through the hooks", async () => {
      const names: string[] = [];
      const loader = create({
        hooks: fakeHooks((name, data) => {
          names.push(name);
          return "media" in data ? { ...data, media: [] } : data;
        }),
      });
      const page = await loader.load(entry(), viewOf(index));
      assert.deepEqual(names, ["onMediaDiscovered", "onPageLoaded"]);
      assert.deepEqual(page.media, []);
    });
  });
