import assert from "node:assert/strict";
import { mkdir, readdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { setImmediate } from "node:timers/promises";
import {
  runOnEach,
  jsonNames,
  putAside,
  readText,
  writeJson,
} from "../../../../plugins/users/engines/local-files.js";
import { useFolder } from "../../../support/folder.js";

describe("account files", () => {
  const folder = useFolder();
  const file = (name: string): string => join(folder.path, name);

  it("are indented JSON, in folders created as needed", async () => {
    await writeJson(file("a/b/ann.json"), { id: "ann" });
    assert.equal(await readFile(file("a/b/ann.json"), "utf8"), '{\n  "id": "ann"\n}\n');
    assert.deepEqual(await readdir(file("a/b")), ["ann.json"]);
  });

  it("have no text if missing, even with an impossible name", async () => {
    assert.equal(await readText(file("missing.json")), null);
    assert.equal(await readText(file(`${"x".repeat(300)}.json`)), null);
  });

  it("fail for what is not a file", async () => {
    await mkdir(file("folder.json"));
    await assert.rejects(readText(file("folder.json")), { code: "EISDIR" });
  });

  it("stay unchanged but are no longer listed when set aside", async () => {
    await writeFile(file("ann.json"), "torn");
    await putAside(file("ann.json"), 7);
    assert.deepEqual(await jsonNames(folder.path), []);
    assert.equal(await readText(file("ann.json.corrupt-7")), "torn");
    await putAside(file("ann.json"), 8);
    assert.deepEqual(await readdir(folder.path), ["ann.json.corrupt-7"]);
  });

  it("are processed at most 32 at a time, each once", async () => {
    const done: number[] = [];
    let running = 0;
    let most = 0;
    await runOnEach(
      Array.from({ length: 500 }, (_, n) => n),
      async (n) => {
        running += 1;
        most = Math.max(most, running);
        await setImmediate();
        running -= 1;
        done.push(n);
      },
    );
    assert.equal(most, 32);
    assert.deepEqual(
      done.toSorted((a, b) => a - b),
      Array.from({ length: 500 }, (_, n) => n),
    );
  });

  it("fail together if one fails", async () => {
    await assert.rejects(
      runOnEach([1, 2, 3], async (n) => {
        if (n === 2) throw new Error("disk");
      }),
      /disk/,
    );
  });
});
