import assert from "node:assert/strict";
import { existsSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { silentLog } from "#kernel";
import { readSnapshot, SnapshotSaver } from "../../../../plugins/content/index/snapshot.js";
import { indexOf } from "../../../support/content/content-tree.js";
import { useFolder } from "../../../support/folder.js";

describe("content: saving the snapshot", () => {
  const folder = useFolder();
  const file = (): string => join(folder.path, "cache", "snapshot");
  const warnings: string[] = [];
  const log = { ...silentLog, warn: (event: string) => void warnings.push(event) };
  let title = "";
  const saver = (): SnapshotSaver =>
    new SnapshotSaver(file(), { log }, () => ({
      stamp: "stamp",
      folders: new Map(),
      writtenAt: 1,
      index: indexOf({ "a.md": `# ${title}` }),
    }));

  it("writes the final state once for all changes", async () => {
    const one = saver();
    title = "First";
    one.saveLater();
    one.saveLater();
    title = "Last";
    await one.close();
    const found = await readSnapshot(file(), "stamp");
    assert.equal(found?.index.entries[0]?.title, "Last");
  });

  it("writes nothing when nothing has changed", async () => {
    await saver().close();
    assert.equal(existsSync(file()), false);
  });

  it("logs a failed write and continues", async () => {
    rmSync(join(folder.path, "cache"), { recursive: true, force: true });
    writeFileSync(join(folder.path, "cache"), "no folder");
    const one = saver();
    one.saveLater();
    await one.close();
    assert.deepEqual(warnings, ["content.snapshot_failed"]);
  });
});
