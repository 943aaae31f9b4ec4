import assert from "node:assert/strict";
import {
  mkdirSync,
  mkdtempSync,
  renameSync,
  rmSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { silentLog } from "#kernel";
import { ContentStore } from "../../../../plugins/content/index/content-store.js";
import type { ContentRules, StoreChange } from "../../../../plugins/content/index/store-options.js";
import type { WriteWork } from "../../../../plugins/content/index/update-queues.js";
import { deferred } from "../../../support/deferred.js";
import { withOthers } from "../../../../plugins/content/read/walk.js";
import { contentRules } from "../../../support/content/content-tree.js";

describe("content: startup with the snapshot of the last run", () => {
  const now = Date.now;
  let root = "";
  beforeEach(() => {
    root = mkdtempSync(join(tmpdir(), "site-store-"));
    // The time of a just-changed folder is unreliable, so the clock moves instead.
    Date.now = () => now() + 5000;
    write("01.home/default.md", "# Home");
    write("02.blog/blog.md", "---\ntitle: Blog\n---\n");
    for (const name of ["a", "b", "c"])
      write(`02.blog/${name}/post.md`, `---\ntitle: ${name}\n---\n`);
    write("02.blog/a/picture.jpg", "jpg");
    write("broken.md", "---\ntitle: [\n---\n");
    symlinkSync(at("02.blog/b"), at("link"));
  });
  afterEach(() => {
    Date.now = now;
    rmSync(root, { recursive: true, force: true });
  });

  const changes: Readonly<Record<string, () => void>> = {
    "nothing has changed": () => undefined,
    "a text has changed": () => write("02.blog/a/post.md", "---\ntitle: a\n---\nOther"),
    "a title has changed, and with it the order": () =>
      write("02.blog/a/post.md", "---\ntitle: z\n---\n"),
    "a slug has changed": () => write("02.blog/blog.md", "---\nslug: news\n---\n"),
    "two texts have changed": () => {
      write("02.blog/a/post.md", "---\ntitle: x\n---\n");
      write("02.blog/b/post.md", "---\ntitle: y\n---\n");
    },
    "a page has become none": () => write("02.blog/a/post.md", "---\nroles: {no: 1}\n---\n"),
    "a file has become a page": () => write("broken.md", "---\ntitle: Fixed\n---\n"),
    "only the time of a file has changed": () => utimesSync(at("broken.md"), 1000, 1000),
    "a page came": () => write("02.blog/d/post.md", "# D"),
    "a page went": () => rmSync(at("02.blog/a"), { recursive: true }),
    "a folder has another name": () => renameSync(at("02.blog"), at("03.news")),
    "a folder of a folder came": () => write("04.d/e/f/post.md", "# F"),
    "a file came and another went in one folder": () => {
      write("02.blog/c/other.md", "# Other");
      rmSync(at("02.blog/c/post.md"));
    },
    "a picture has become a page": () =>
      renameSync(at("02.blog/a/picture.jpg"), at("02.blog/a/picture.md")),
    "a page was renamed": () => renameSync(at("02.blog/b/post.md"), at("02.blog/b/other.md")),
    "a folder below another has another name": () => renameSync(at("02.blog/b"), at("02.blog/z")),
    "a picture came": () => write("02.blog/b/late.jpg", "jpg"),
    "a link leads elsewhere": () => {
      rmSync(at("link"));
      symlinkSync(at("02.blog/c"), at("link"));
    },
    "everything is gone": () => rmSync(at("02.blog"), { recursive: true }),
  };
  for (const [what, change] of Object.entries(changes)) {
    it(`has the same result as a startup without it when ${what}`, async () => {
      await start();
      change();
      const warm = await start();
      const cold = await start({ snapshotFile: null });
      assert.deepEqual(stateOf(warm), stateOf(cold));
      assert.deepEqual(stateOf(await start()), stateOf(cold), "and again");
    });
  }

  it("reuses unchanged pages", async () => {
    await start();
    const warm = await start();
    assert.equal(warm.index.id, 1);
    write("02.blog/a/post.md", "---\ntitle: z\n---\n");
    assert.equal((await start()).index.id, 2);
  });

  it("has the same result as without it right after a change, twice", async () => {
    Date.now = now;
    for (const path of ["02.blog/new/post.md", "02.blog/new/other.md"]) {
      await start();
      write(path, "# New");
      const warm = await start();
      assert.deepEqual(stateOf(warm), stateOf(await start({ snapshotFile: null })), path);
    }
  });

  it("trusts times and sizes, or in mode hash only bytes", async () => {
    const put = (title: string): void => {
      write("02.blog/a/post.md", `---\ntitle: ${title}\n---\n`);
      utimesSync(at("02.blog/a/post.md"), 1000, 1000);
    };
    const titleOf = async (given: Given): Promise<string | undefined> =>
      (await start(given)).index.bySource.get("02.blog/a/post.md")?.title;
    put("a");
    await start();
    put("z");
    assert.deepEqual([await titleOf({}), await titleOf({ check: "hash" })], ["a", "z"]);
    put("longer");
    assert.equal(await titleOf({}), "longer");
  });

  it("reads no file without a check", async () => {
    await start();
    write("02.blog/a/post.md", "---\ntitle: z\n---\n");
    const titles = (await start({ check: "none" })).index.entries.map(({ title }) => title);
    assert.ok(titles.includes("a") && !titles.includes("z"));
  });

  const others: Readonly<Record<string, Partial<ContentRules>>> = {
    "another template of the theme": { templates: new Set(["default", "other"]) },
    "another home page": { home: "blog" },
    "another language": { languages: ["en", "de"] },
    "another default language": { languages: ["en", "de"], defaultLanguage: "de" },
    "the default language in addresses": { languages: ["en", "de"], includeDefaultInUrl: true },
    "another timezone": { timezone: "Asia/Tokyo" },
    "a folder that is no longer reserved": { isReserved: () => false },
    "another format": { formats: new Set(["md", "txt"]) },
  };
  for (const [what, rules] of Object.entries(others)) {
    it(`reuses nothing with ${what}`, async () => {
      write("02.blog/default.de.md", "---\npublish_date: 2026-01-01\n---\n");
      await start();
      const warm = await start({ rules });
      const cold = await start({ rules, snapshotFile: null });
      assert.deepEqual(stateOf(warm), stateOf(cold));
    });
  }

  const later: Readonly<Record<string, (store: ContentStore) => Promise<void>>> = {
    "a page has changed since": (store) => {
      write("02.blog/a/post.md", "---\ntitle: z\n---\n");
      return store.refresh(["02.blog/a/post.md"]);
    },
    "nothing has changed since": async () => undefined,
  };
  for (const [what, change] of Object.entries(later)) {
    it(`names the rules that its pages were made by when others hold and ${what}`, async () => {
      const rules = { templates: new Set(["default"]) };
      const store = open({ rules });
      await store.load();
      rules.templates.add("post");
      await change(store);
      await store.close();
      const cold = await start({ rules, snapshotFile: null });
      assert.deepEqual(stateOf(await start({ rules })), stateOf(cold));
      if (store.index.id > 1) assert.deepEqual(stateOf(store), stateOf(cold), "as it runs");
    });
  }

  it("merges paths that arrive during an update into one generation", async () => {
    const generations = new Array<number>();
    const store = open({ onChange: ({ after }) => void generations.push(after.id) });
    await store.load();
    const before = store.index.id;
    const paths = Array.from({ length: 12 }, (_, number) => `02.blog/new${number}/post.md`);
    for (const path of paths) write(path, "# New");
    await Promise.all(paths.map((path) => store.refresh([path])));
    assert.equal(generations.length, 1);
    assert.ok(store.index.id > before);
    assert.ok(paths.every((path) => store.index.bySource.has(path)));
    const cold = await start({ snapshotFile: null });
    // The folders are those of the last walk.
    const { folders: _walked, ...state } = stateOf(store);
    const { folders: _all, ...fresh } = stateOf(cold);
    assert.deepEqual(state, fresh);
    await store.close();
  });

  interface FolderChange {
    readonly make: () => void;
    /** As a watcher reports it. */
    readonly paths: readonly string[];
  }
  const folderChanges: Readonly<Record<string, FolderChange>> = {
    "a folder with a picture came": {
      make: () => write("media/photos/a.png", "png"),
      paths: ["media"],
    },
    "a picture came into a new folder, which is not reported": {
      make: () => write("02.blog/a/gallery/a.png", "png"),
      paths: ["02.blog/a/gallery/a.png"],
    },
    "a folder came, and a picture below it": {
      make: () => write("02.blog/a/x/gallery/a.png", "png"),
      paths: ["02.blog/a/x"],
    },
    "the only picture was deleted": {
      make: () => rmSync(at("02.blog/a/picture.jpg")),
      paths: ["02.blog/a/picture.jpg"],
    },
    "a folder with pictures was deleted": {
      make: () => rmSync(at("files"), { recursive: true }),
      paths: ["files"],
    },
    "a folder with pictures was renamed": {
      make: () => renameSync(at("files"), at("other")),
      paths: ["files", "other"],
    },
    "a folder below was renamed, and the one above is reported": {
      make: () => renameSync(at("files/below"), at("files/beneath")),
      paths: ["files"],
    },
    "a folder was renamed and came again": {
      make: () => {
        renameSync(at("files"), at("other"));
        write("files/new/b.png", "png");
      },
      paths: ["files", "other", "files/new/b.png"],
    },
    "a picture has become a page": {
      make: () => renameSync(at("02.blog/a/picture.jpg"), at("02.blog/a/other.md")),
      paths: ["02.blog/a/picture.jpg", "02.blog/a/other.md"],
    },
  };
  for (const [what, { make, paths }] of Object.entries(folderChanges)) {
    it(`knows the folders with files at once when ${what}`, async () => {
      rmSync(at("link"));
      write("files/below/a.png", "png");
      const isReserved = (): boolean => false;
      const store = open({ rules: { isReserved }, snapshotFile: null });
      await store.load();
      make();
      await store.refresh(paths);
      const cold = await start({ rules: { isReserved }, snapshotFile: null });
      assert.deepEqual(withOthers(store.folders).sort(), withOthers(cold.folders).sort());
      await store.rescan();
      assert.deepEqual(stateOf(store).folders, stateOf(cold).folders, "after the next walk");
      await store.close();
    });
  }

  it("does not block saves while it reads many files", async () => {
    rmSync(at("link"));
    const gate = deferred<readonly string[]>();
    const store = open({ changedMedia: () => gate.promise });
    await store.load();
    write("02.blog/a/post.md", "---\ntitle: Found\n---\n");
    const scanned = store.rescan({ check: "hash" });
    await store.write(save("02.blog/b/post.md", "---\ntitle: Saved\n---\n"));
    assert.equal(store.index.bySource.get("02.blog/b/post.md")?.title, "Saved");
    assert.equal(store.index.bySource.get("02.blog/a/post.md")?.title, "a");
    gate.resolve([]);
    assert.equal(await scanned, true);
    assert.equal(store.index.bySource.get("02.blog/a/post.md")?.title, "Found");
    await store.close();
  });

  it("reads a page beside a scan that has not ended", async () => {
    rmSync(at("link"));
    const gate = deferred<readonly string[]>();
    const store = open({ changedMedia: () => gate.promise });
    await store.load();
    const scanned = store.rescan({ check: "hash" });
    write("02.blog/a/post.md", "---\ntitle: Changed\n---\n");
    write("02.blog/d/post.md", "---\ntitle: Created\n---\n");
    rmSync(at("02.blog/c/post.md"));
    await store.refresh(["02.blog/a/post.md"]);
    assert.equal(store.index.bySource.get("02.blog/a/post.md")?.title, "Changed");
    await store.catchUp(["02.blog/c/post.md", "02.blog/d/post.md"]);
    assert.equal(store.index.bySource.get("02.blog/d/post.md")?.title, "Created");
    assert.ok(!store.index.bySource.has("02.blog/c/post.md"));
    gate.resolve([]);
    await scanned;
    await store.close();
  });

  it("reads no page and no folder again that it knows", async () => {
    write("03.media/late.jpg", "jpg");
    const seen: StoreChange[] = [];
    const store = open({ onChange: (change) => void seen.push(change) });
    await store.load();
    write("04.late/picture.jpg", "jpg");
    await store.catchUp(["04.late"]);
    assert.equal(seen.length, 1);
    const known = ["04.late", "03.media", "02.blog", "02.blog/a/post.md", "02.blog/a/picture.jpg"];
    await store.catchUp([...known, "02.blog/none.md", "link", "../x.md", ".git/x.md", "\0", ""]);
    assert.equal(seen.length, 1);
    await store.close();
  });

  for (const [what, text] of Object.entries({ another: "---\ntitle: Saved\n---\n", no: null })) {
    it(`keeps a save when a scan has read ${what} text before it`, async () => {
      rmSync(at("link"));
      const saved: Promise<void>[] = [];
      const isReserved = (path: string): boolean => {
        // The paths before it have been read.
        const isFirst = path === "z.md" && saved.length === 0;
        if (isFirst) saved.push(store.write(save("02.blog/a/post.md", text)));
        return false;
      };
      const titles: (string | undefined)[] = [];
      const store = open({
        rules: { isReserved },
        snapshotFile: null,
        onChange: ({ after }) => void titles.push(after.bySource.get("02.blog/a/post.md")?.title),
      });
      await store.load();
      write("02.blog/a/post.md", "---\ntitle: Found\n---\n");
      write("02.blog/c/post.md", "---\ntitle: Other\n---\n");
      // Fewer paths are read in a turn that saves wait for.
      const many = Array.from({ length: 10 }, (_, at) => `a-${at}.md`);
      await store.refresh(["02.blog/a/post.md", "02.blog/c/post.md", ...many, "z.md"]);
      await Promise.all(saved);
      assert.ok(!titles.includes("Found"));
      const { bySource } = store.index;
      assert.equal(bySource.get("02.blog/a/post.md")?.title, text === null ? undefined : "Saved");
      assert.equal(bySource.get("02.blog/c/post.md")?.title, "Other");
      const cold = await start({ rules: { isReserved }, snapshotFile: null });
      assert.deepEqual(stateOf(store).entries, stateOf(cold).entries);
      await store.close();
    });
  }

  it("saves folders that came as the site ran for the next startup", async () => {
    const store = open({ check: "none" });
    await store.load();
    write("media/photos/a.png", "png");
    await store.refresh(["media"]);
    await store.close();
    const next = await start({ check: "none" });
    assert.ok(withOthers(next.folders).includes("media/photos"));
  });

  interface Given {
    rules?: Partial<ContentRules>;
    check?: "file" | "hash" | "none";
    snapshotFile?: string | null;
    onChange?: (change: StoreChange) => void;
    changedMedia?: () => Promise<readonly string[]>;
  }

  /** Work that writes a file, or deletes it. */
  function save(path: string, text: string | null): WriteWork {
    return async () => {
      if (text === null) rmSync(at(path));
      else write(path, text);
      const release = (): void => undefined;
      return { touched: [path], folders: [], changes: [], actor: null, message: "", release };
    };
  }

  function open({ rules = {}, ...given }: Given = {}): ContentStore {
    return new ContentStore({
      rules: () => ({
        ...contentRules,
        isReserved: (path) => path === "02.blog/c",
        ...rules,
        root: join(root, "content"),
      }),
      check: "file",
      snapshotFile: join(root, "snapshot"),
      log: silentLog,
      isExport: true,
      keepsLastGood: false,
      onChange: () => undefined,
      ...given,
    });
  }

  async function start(given?: Given): Promise<ContentStore> {
    const store = open(given);
    await store.load();
    await store.close();
    return store;
  }

  function at(path: string): string {
    return join(root, "content", path);
  }

  function write(path: string, text: string): void {
    mkdirSync(dirname(at(path)), { recursive: true });
    writeFileSync(at(path), text);
  }
});

/** All that a generation says, whatever it was made from. */
function stateOf({ index, folders }: ContentStore) {
  const { entries, pages, problems, records } = index;
  const byPath = new Map([...records].sort(([a], [b]) => (a < b ? -1 : 1)));
  const routes = entries.map(({ route, lang }) => index.at(route, lang)?.sourcePath);
  return { entries, pages, problems, byPath, routes, folders: [...folders.keys()].sort() };
}
