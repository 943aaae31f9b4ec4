import assert from "node:assert/strict";
import { utimes, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { silentLog } from "#kernel";
import { z } from "zod";
import { FileFacts, keyOfFile } from "../../../../plugins/media/variants/image-sizes.js";
import { useFolder } from "../../../support/folder.js";

describe("facts about files", () => {
  const folder = useFolder();
  const open = (basis: string, file = join(folder.path, "facts.json")): FileFacts<number> =>
    new FileFacts({ file, fact: z.number(), basis, log: silentLog });

  it("are stored, and used again with the same settings only", async () => {
    const first = open("a");
    assert.equal(await first.get("x"), undefined);
    first.set("x", 1);
    await first.save();
    assert.equal(await open("a").get("x"), 1);
    assert.equal(await open("b").get("x"), undefined);
  });

  it("are found again when their file is damaged, or cannot be written", async () => {
    const stored = join(folder.path, "facts.json");
    for (const text of ["", "[]", '{"basis":"a","facts":[["x"]]}', '{"facts":[["x",1]]}']) {
      await writeFile(stored, text);
      assert.equal(await open("a").get("x"), undefined);
    }
    const lost = open("a", join(folder.path, "facts.json", "below-a-file"));
    lost.set("x", 1);
    await lost.save();
    assert.equal(await lost.get("x"), 1);
  });

  it("belong to one state of a file", async () => {
    const file = join(folder.path, "a.jpg");
    assert.equal(await keyOfFile(file), null);
    await writeFile(file, "one");
    const before = await keyOfFile(file);
    assert.equal(await keyOfFile(file), before);
    await utimes(file, 1, 1);
    assert.notEqual(await keyOfFile(file), before);
  });
});
