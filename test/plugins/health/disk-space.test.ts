import assert from "node:assert/strict";
import { folderProblem, fullDisks, type DiskSpace } from "../../../plugins/health/checks.js";

const paths = { root: "/", content: "/c", data: "/d", runtime: "/r", cache: "/k" };
const roomy: DiskSpace = {
  bavail: 1_000_000,
  blocks: 2_000_000,
  bsize: 4_096,
  ffree: 9,
  files: 10,
};

describe("the check of disk space", () => {
  for (const [what, space, isFull] of [
    ["room", {}, false],
    ["no block left", { bavail: 0 }, true],
    ["15 MB of a large disk left", { bavail: 3_840 }, true],
    ["17 MB of a large disk left", { bavail: 4_352 }, false],
    ["a third of a tiny disk left", { blocks: 100, bavail: 33 }, false],
    ["no file left", { ffree: 0 }, true],
    ["a file system that counts no files", { ffree: 0, files: 0 }, false],
  ] as const) {
    it(`${isFull ? "reports" : "does not report"} ${what}`, () => {
      const space_ = (folder: string): DiskSpace =>
        folder === "/r" ? { ...roomy, ...space } : roomy;
      assert.deepEqual(fullDisks(paths, space_), isFull ? ["runtime"] : []);
    });
  }
});

describe("the check of folders", () => {
  const failing = (folders: readonly string[], code: string) => (folder: string) => {
    if (folders.includes(folder)) throw Object.assign(new Error(code), { code });
  };

  it("names each folder that cannot be written, and the fix", () => {
    assert.equal(
      folderProblem(paths, failing(["/c", "/r"], "EACCES")),
      'cannot be written: c (EACCES), r (EACCES); mount it writable, or as the user of the server: chown -R "$(id -un)" c r',
    );
    assert.match(folderProblem(paths, failing(["/d"], "EROFS")) ?? "", /: d \(EROFS\);/);
  });

  it("reports none when all can be written, nor one that does not exist yet", () => {
    assert.equal(folderProblem(paths, failing([], "EACCES")), null);
    assert.equal(folderProblem(paths, failing(["/d"], "ENOENT")), null);
  });
});
