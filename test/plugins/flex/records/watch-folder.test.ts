import assert from "node:assert/strict";
import { renameSync, rmSync, writeFileSync } from "node:fs";
import { mkdir, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { silentLog } from "#kernel";
import {
  changedFile,
  WatchFolder,
  type ChangedFile,
} from "../../../../plugins/flex/records/watch-folder.js";
import { FailingReads } from "../../../support/hostile/failing-reads.js";
import { useFolder } from "../../../support/folder.js";
import { until } from "../../../support/until.js";

describe("changedFile", () => {
  it("recognises only schemas and records", () => {
    assert.deepEqual(changedFile("product.yaml"), { type: "product", id: null });
    assert.deepEqual(changedFile(join("product", "abc.yaml")), { type: "product", id: "abc" });
    for (const path of [
      "",
      "product",
      "product/.tmp-1.yaml",
      "product/a/b.yaml",
      "a b/c.yaml",
      "x.yml",
      "../x.yaml",
    ]) {
      assert.equal(changedFile(path), null, path);
    }
  });
});

describe("WatchFolder", () => {
  const folder = useFolder();
  let watching: WatchFolder | null = null;
  const reads = new FailingReads();
  before(() => reads.install());
  after(() => reads.uninstall());
  afterEach(async () => {
    reads.stop();
    await watching?.close();
    watching = null;
  });

  it("requests a full check for new folders, then reports each file", async () => {
    const told: (readonly ChangedFile[])[] = [];
    const state = { lost: 0 };
    const objects = join(folder.path, "flex-objects");
    const watcher = new WatchFolder({
      folder: objects,
      log: silentLog,
      tell: async (files) => void told.push(files),
      lost: async () => void (state.lost += 1),
    });
    watching = watcher;
    watcher.start();
    await mkdir(join(objects, "product"), { recursive: true });
    await until(() => state.lost > 0);
    const seen = (): string[] => told.flat().map(({ type, id }) => `${type}/${id}`);
    await writeFile(join(folder.path, "elsewhere.yaml"), "x");
    // What comes together with news of a folder is covered by the look at everything.
    for (let round = 0; round < 30 && !seen().includes("product/abc"); round += 1) {
      await writeFile(join(objects, "product.yaml"), `${round}`);
      await writeFile(join(objects, "product", "abc.yaml"), `${round}`);
      await delay(200);
    }
    await until(() => seen().includes("product/null") && seen().includes("product/abc"));
    const before = seen().length;
    await rm(join(objects, "product", "abc.yaml"));
    await until(() => seen().slice(before).includes("product/abc"));
    assert.ok(!seen().some((one) => one.startsWith("elsewhere")));
  });

  it("reports each change of a record that is deleted and written again quickly", async () => {
    const objects = join(folder.path, "flex-objects");
    const file = join(objects, "product", "a.yaml");
    await mkdir(join(objects, "product"), { recursive: true });
    await writeFile(file, "name: A\n");
    let told = 0;
    watching = new WatchFolder({
      folder: objects,
      log: silentLog,
      tell: async (files) => void (told += files.length),
      lost: async () => undefined,
    });
    watching.start();
    for (let round = 0; round < 5; round += 1) {
      const before = told;
      rmSync(file);
      writeFileSync(file, `name: ${round}\n`);
      await until(() => told > before);
      // Later changes of the new file are reported too.
      const after = told;
      writeFileSync(file, `name: later ${round}\n`);
      await until(() => told > after);
    }
  });

  it("follows a type folder that is exchanged, and one that cannot be read at first", async () => {
    const objects = join(folder.path, "flex-objects");
    const file = join(objects, "product", "a.yaml");
    await mkdir(join(objects, "product"), { recursive: true });
    await mkdir(join(folder.path, "next"));
    const told: string[] = [];
    const state = { lost: 0 };
    watching = new WatchFolder({
      folder: objects,
      log: silentLog,
      tell: async (files) => void told.push(...files.map(({ type, id }) => `${type}/${id}`)),
      lost: async () => void (state.lost += 1),
    });
    watching.start();
    reads.start("EIO", (path) => path === join(objects, "product"));
    renameSync(join(objects, "product"), join(folder.path, "old"));
    renameSync(join(folder.path, "next"), join(objects, "product"));
    await until(() => state.lost > 0);
    assert.ok(reads.failed > 0);
    reads.stop();
    const { lost } = state;
    await until(() => state.lost > lost);
    writeFileSync(file, "name: A\n");
    await until(() => told.includes("product/a"));
  });

  it("reports nothing after it was closed", async () => {
    const nothing = async (): Promise<void> => assert.fail("reported");
    const watcher = new WatchFolder({
      folder: join(folder.path, "x"),
      log: silentLog,
      tell: nothing,
      lost: nothing,
    });
    watcher.start();
    await mkdir(join(folder.path, "x"));
    await watcher.close();
    await delay(100);
  });
});
