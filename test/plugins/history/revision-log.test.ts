import assert from "node:assert/strict";
import { hash } from "node:crypto";
import { readdir, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { RevisionLog, type NewRevision } from "../../../plugins/history/revision-log.js";
import { useFolder } from "../../support/folder.js";

const path = "01.a/default.md";

function revision(content: string, rest: Partial<NewRevision> = {}): NewRevision {
  return {
    sourcePath: path,
    kind: "saved",
    createdAt: 1,
    actor: null,
    message: "",
    content,
    ...rest,
  };
}

describe("the log of revisions", () => {
  const folder = useFolder();
  const open = (most = 3): RevisionLog => new RevisionLog(folder.path, most);

  it("numbers versions, newest first, with size and digest, readable only by the site's user", async () => {
    const log = open();
    for (const text of ["one", "zwölf"]) await log.add(revision(text));
    assert.deepEqual(await log.numbers(path), [2, 1]);
    const last = await log.read(path, 2);
    assert.deepEqual(
      [last?.content, last?.size, last?.hash],
      ["zwölf", 6, hash("sha256", "zwölf")],
    );
    assert.equal((await stat(join(folder.path, path, "00000002.json"))).mode & 0o777, 0o600);
  });

  it("retains the newest and continues counting", async () => {
    const log = open();
    for (const text of ["1", "2", "3", "4", "5"]) await log.add(revision(text));
    assert.deepEqual(await log.numbers(path), [5, 4, 3]);
    await open(1).add(revision("6"));
    assert.deepEqual(await log.numbers(path), [6]);
  });

  it("stores nothing with a limit of zero", async () => {
    await open(0).add(revision("1"));
    assert.deepEqual(await readdir(folder.path), []);
  });

  it("stores a repeated text once, but an older one again, and every deletion", async () => {
    const log = open(9);
    for (const text of ["a", "a", "b", "a"]) await log.add(revision(text));
    await log.add(revision("a", { kind: "deleted" }));
    assert.deepEqual(await log.numbers(path), [4, 3, 2, 1]);
  });

  it("adds the author of a found text, and never removes it", async () => {
    const log = open();
    const actor = { id: "1", name: "Ada", email: "ada@example.org" };
    await log.add(revision("a", { kind: "found" }));
    await log.add(revision("a", { actor }));
    await log.add(revision("a", { kind: "found" }));
    assert.deepEqual(await log.numbers(path), [1]);
    assert.deepEqual((await log.read(path, 1))?.actor, actor);
  });

  for (const text of ["", "{", "null", "{}", `{"n":0}`]) {
    it(`reads null from a file with ${JSON.stringify(text)}, and continues after it`, async () => {
      const log = open();
      await log.add(revision("a"));
      await writeFile(join(folder.path, path, "00000001.json"), text);
      assert.equal(await log.read(path, 1), null);
      await log.add(revision("a"));
      assert.deepEqual(await log.numbers(path), [2, 1]);
    });
  }

  for (const outside of ["", ".", "..", "../x", "/etc", "a/../../x", "a\0b", "a\\..\\b"]) {
    it(`reads, lists and moves nothing at ${JSON.stringify(outside)}`, async () => {
      const log = open();
      await log.add(revision("a"));
      assert.deepEqual(await log.numbers(outside), []);
      assert.equal(await log.read(outside, 1), null);
      await log.move(path, outside);
      await log.move(outside, path);
      assert.deepEqual(await log.numbers(path), [1]);
    });
  }

  for (const n of [0, -1, 1.5, NaN, 2, Infinity, 2 ** 60]) {
    it(`reads no version ${n}`, async () => {
      const log = open();
      await log.add(revision("a"));
      assert.equal(await log.read(path, n), null);
    });
  }

  it("moves a folder with all its pages, replacing leftovers of another page", async () => {
    const log = open();
    await log.add(revision("a"));
    await log.add(revision("old", { sourcePath: "02.b/other.md" }));
    await log.move("01.a", "02.b");
    assert.deepEqual(await log.numbers("02.b/default.md"), [1]);
    assert.deepEqual(await log.numbers("02.b/other.md"), []);
    assert.deepEqual(await log.numbers(path), []);
    await assert.doesNotReject(log.move("none", "03.c"));
  });
});
