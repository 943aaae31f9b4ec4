import assert from "node:assert/strict";
import { readFile, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { readSnapshot, writeSnapshot } from "../../../plugins/content/snapshot.js";
import { recordsOf } from "../../support/content-tree.js";
import { useFolder } from "../../support/folder.js";

const records = recordsOf(
  Object.fromEntries(
    Array.from({ length: 1_001 }, (_, at) => [`page-${at}.md`, `---\ntitle: "${at}\\n"\n---\nü`]),
  ),
);
const snapshot = {
  records,
  folders: new Map([["", { time: 12.5, hasOthers: true }]]),
  writtenAt: 42,
};

describe("a snapshot", () => {
  const folder = useFolder();
  const file = (): string => join(folder.path, "index.cache");

  beforeEach(() => writeSnapshot(file(), "stamp", snapshot));

  it("is read as it was written, more than one line of records too", async () => {
    assert.deepEqual(await readSnapshot(file(), "stamp"), snapshot);
  });

  it("can be read by its owner alone, for it holds unpublished pages", async () => {
    assert.equal((await stat(file())).mode & 0o777, 0o600);
  });

  it("is none for other rules", async () => {
    assert.equal(await readSnapshot(file(), "other"), null);
  });

  it("is none where there is no file", async () => {
    assert.equal(await readSnapshot(`${file()}.gone`, "stamp"), null);
  });

  const damages: readonly (readonly [string, (text: string) => string])[] = [
    ["empty", () => ""],
    ["cut off", (text) => text.slice(0, -200)],
    ["short of a line", (text) => text.trimEnd().split("\n").slice(0, -1).join("\n")],
    ["of another format", (text) => text.replace(/"format":\d+/, '"format":0')],
    ["without a count", (text) => text.replace(/"count":\d+,/, "")],
    ["no JSON", (text) => `x${text}`],
    ["of broken records", (text) => text.replace('"warnings":[]', '"warnings":null')],
    ["of broken folders", (text) => text.replace('[["",12.5,true]]', '[["",12.5,"true"]]')],
  ];
  for (const [what, damage] of damages) {
    it(`is none when it is ${what}`, async () => {
      const text = await readFile(file(), "utf8");
      assert.notEqual(damage(text), text);
      await writeFile(file(), damage(text));
      assert.equal(await readSnapshot(file(), "stamp"), null);
    });
  }
});
