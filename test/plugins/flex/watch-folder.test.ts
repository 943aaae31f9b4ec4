import assert from "node:assert/strict";
import { mkdir, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { silentLog } from "#kernel/internal";
import { changedFile, WatchFolder, type ChangedFile } from "../../../plugins/flex/watch-folder.js";
import { useFolder } from "../../support/folder.js";

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
  afterEach(async () => {
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
    await watcher.start();
    await mkdir(join(objects, "product"), { recursive: true });
    await until(() => state.lost > 0);
    const seen = (): string[] => told.flat().map(({ type, id }) => `${type}/${id}`);
    await writeFile(join(folder.path, "elsewhere.yaml"), "x");
    // What comes together with news of a folder is covered by the look at everything.
    for (let round = 0; round < 30 && !seen().includes("product/abc"); round += 1) {
      await writeFile(join(objects, "product.yaml"), `${round}`);
      await writeFile(join(objects, "product", "abc.yaml"), `${round}`);
      await pause(200);
    }
    await until(() => seen().includes("product/null") && seen().includes("product/abc"));
    const before = seen().length;
    await rm(join(objects, "product", "abc.yaml"));
    await until(() => seen().slice(before).includes("product/abc"));
    assert.ok(!seen().some((one) => one.startsWith("elsewhere")));
  });

  it("reports a changed file a second time, because an event may have been dropped", async () => {
    const told: string[] = [];
    const objects = join(folder.path, "flex-objects");
    await mkdir(join(objects, "product"), { recursive: true });
    watching = new WatchFolder({
      folder: objects,
      log: silentLog,
      tell: async (files) => void told.push(...files.map(({ type, id }) => `${type}/${id}`)),
      lost: async () => undefined,
    });
    await watching.start();
    await writeFile(join(objects, "product", "a.yaml"), "name: A\n");
    await until(() => told.length >= 2);
    assert.ok(told.every((one) => one === "product/a"));
  });

  it("can be closed during startup", async () => {
    const nothing = async (): Promise<void> => undefined;
    const file = join(folder.path, "x");
    const watcher = new WatchFolder({ folder: file, log: silentLog, tell: nothing, lost: nothing });
    const started = watcher.start();
    await watcher.close();
    await started;
  });
});

function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}

/** Looks again until it is true, for a while. */
async function until(isTrue: () => boolean): Promise<void> {
  for (let round = 0; round < 300 && !isTrue(); round += 1) await pause(10);
  assert.ok(isTrue(), "it did not happen within three seconds");
}
