import assert from "node:assert/strict";
import { mkdir, readdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { setImmediate } from "node:timers/promises";
import {
  forEachOf,
  jsonNames,
  putAside,
  readText,
  removeFile,
  removeTemporary,
  writeJson,
} from "../../../../plugins/users/engines/local-files.js";
import { useFolder } from "../../../support/folder.js";

describe("files of accounts", () => {
  const folder = useFolder();
  const file = (name: string): string => join(folder.path, name);

  it("are written for people to read, into folders that are made", async () => {
    await writeJson(file("a/b/ann.json"), { id: "ann" });
    assert.equal(await readFile(file("a/b/ann.json"), "utf8"), '{\n  "id": "ann"\n}\n');
    assert.deepEqual(await readdir(file("a/b")), ["ann.json"]);
  });

  it("only those of JSON have names, and a folder that is not there has none", async () => {
    for (const name of ["ann.json", "bob.json.corrupt-1", "notes.txt", "README"]) {
      await writeFile(file(name), "");
    }
    assert.deepEqual(await jsonNames(folder.path), ["ann"]);
    assert.deepEqual(await jsonNames(file("missing")), []);
  });

  it("a file that is not there has no text, also when no file can have the name", async () => {
    assert.equal(await readText(file("missing.json")), null);
    assert.equal(await readText(file(`${"x".repeat(300)}.json`)), null);
  });

  it("what is no file is an error, not an absence", async () => {
    await mkdir(file("folder.json"));
    await assert.rejects(readText(file("folder.json")), { code: "EISDIR" });
  });

  it("one put aside keeps its bytes and is no record any more", async () => {
    await writeFile(file("ann.json"), "torn");
    await putAside(file("ann.json"), 7);
    assert.deepEqual(await jsonNames(folder.path), []);
    assert.equal(await readText(file("ann.json.corrupt-7")), "torn");
    await putAside(file("ann.json"), 8);
    assert.deepEqual(await readdir(folder.path), ["ann.json.corrupt-7"]);
  });

  it("one that is gone can be removed again", async () => {
    await writeFile(file("ann.json"), "");
    await removeFile(file("ann.json"));
    await removeFile(file("ann.json"));
    assert.deepEqual(await readdir(folder.path), []);
  });

  it("nothing but what interrupted writes have left is swept", async () => {
    for (const name of ["ann.json", ".tmp-1", ".tmp-ann.json"]) await writeFile(file(name), "");
    await removeTemporary(folder.path);
    await removeTemporary(file("missing"));
    assert.deepEqual(await readdir(folder.path), ["ann.json"]);
  });

  it("of many at most 32 are worked on at once, and each once", async () => {
    const done: number[] = [];
    let running = 0;
    let most = 0;
    await forEachOf(
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

  it("one failure is the failure of all", async () => {
    await assert.rejects(
      forEachOf([1, 2, 3], async (n) => {
        if (n === 2) throw new Error("disk");
      }),
      /disk/,
    );
  });
});
