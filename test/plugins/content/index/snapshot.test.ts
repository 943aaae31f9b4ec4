import assert from "node:assert/strict";
import { readFile, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { ContentProblem } from "../../../../plugins/content/contract.js";
import { readSnapshot, writeSnapshot } from "../../../../plugins/content/index/snapshot.js";
import { indexOf } from "../../../support/content/content-tree.js";
import { useFolder } from "../../../support/folder.js";

const pages = Object.fromEntries(
  Array.from({ length: 201 }, (_, at) => [`page-${at}.md`, `---\ntitle: "${at}\\n"\n---\nü`]),
);
const withoutLink = indexOf({
  ...pages,
  "01.home/default.md": "---\nroles: {any: [a], all: [b]}\ntaxonomy: {tag: [x, y]}\n---\n# Home",
  "01.home/default.de.md": "---\nroutes: {aliases: [/start]}\norder: 7\n---\n",
  "02.blog/01.a/post.md": "---\npublish_date: 2026-01-01\nunpublish_date: soon\n---\n",
  "02.blog/a/post.md": "---\nslug: a\ndate: 2026-01-01\nvisible: true\n---\n",
  "02.blog/_part/item.md": "---\n__proto__: {x: 1}\n---\n",
  "_drafts/x/default.md": "---\nstatus: in_review\nnav_title: X\n---\n",
  "broken.md": "---\ntitle: [\n---\n",
  "roles.md": "---\nroles: {none: 1}\n---\n",
});
const link: ContentProblem = {
  sourcePath: "link",
  severity: "error",
  code: "ERR_CONTENT_LINK",
  message: "leads nowhere",
};
const index = withoutLink.withTreeProblems([link]);
const snapshot = {
  index,
  folders: new Map([["", { time: 12.5, hasOthers: true }]]),
  writtenAt: 42,
};

describe("a snapshot", () => {
  const folder = useFolder();
  const file = (): string => join(folder.path, "index.cache");

  beforeEach(() => writeSnapshot(file(), "stamp", snapshot));

  it("is read as it was written, including files that are not pages", async () => {
    const { index: found, ...rest } = (await readSnapshot(file(), "stamp")) ?? assert.fail();
    assert.deepEqual({ ...rest, index }, snapshot);
    assert.deepEqual(found.pages, index.pages);
    assert.deepEqual(found.problems, index.problems);
    assert.deepEqual(found.treeProblems, [link]);
    assert.deepEqual(new Map(sorted(found.records)), new Map(sorted(index.records)));
    for (const { route, lang, sourcePath, folder } of index.entries) {
      assert.deepEqual(found.at(route, lang), index.at(route, lang));
      assert.deepEqual(found.bySource.get(sourcePath), index.bySource.get(sourcePath));
      assert.deepEqual(found.folder(folder), index.folder(folder));
    }
    assert.equal(found.records.get("broken.md")?.error?.code, "ERR_CONTENT_FRONT_MATTER");
  });

  it("restores entries with the same shape as without it", async () => {
    const found = await readSnapshot(file(), "stamp");
    assert.deepEqual(
      Object.keys(found?.index.entries[0] ?? {}),
      Object.keys(index.entries[0] ?? {}),
    );
  });

  it("is readable only by its owner, because it contains unpublished pages", async () => {
    assert.equal((await stat(file())).mode & 0o777, 0o600);
  });

  it("is ignored for other rules", async () => {
    assert.equal(await readSnapshot(file(), "other"), null);
  });

  it("is null without a file", async () => {
    assert.equal(await readSnapshot(`${file()}.gone`, "stamp"), null);
  });

  const damages: readonly (readonly [string, (text: string) => string])[] = [
    ["empty", () => ""],
    ["cut off", (text) => text.slice(0, -200)],
    ["short of a line", (text) => text.trimEnd().split("\n").slice(0, -1).join("\n")],
    ["of another format", (text) => text.replace('"identity":"[', '"identity":"[0')],
    ["of another version", (text) => text.replace(/(\\"\d+\.\d+\.)/, "$10")],
    ["without a count", (text) => text.replace(/"rows":\d+,/, "")],
    ["no JSON", (text) => `x${text}`],
    ["of broken records", (text) => text.replace('"warnings":[]', '"warnings":null')],
    ["of broken pages", (text) => text.replace('"place":{', '"place":1,"x":{')],
    ["of broken folders", (text) => text.replace('"hasOthers":true', '"hasOthers":"true"')],
  ];
  for (const [what, damage] of damages) {
    it(`is ignored when it is ${what}`, async () => {
      const text = await readFile(file(), "utf8");
      assert.notEqual(damage(text), text);
      await writeFile(file(), damage(text));
      assert.equal(await readSnapshot(file(), "stamp"), null);
    });
  }
});

function sorted<T>(map: Iterable<[string, T]>): [string, T][] {
  return [...map].sort(([a], [b]) => (a < b ? -1 : 1));
}
