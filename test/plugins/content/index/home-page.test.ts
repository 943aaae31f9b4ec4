import assert from "node:assert/strict";
import { ContentTree } from "../../../../plugins/content/index/tree/content-tree.js";
import { findHome } from "../../../../plugins/content/index/tree/home-page.js";
import { contentRules, recordsOf } from "../../../support/content/content-tree.js";

/** Where home lies: a folder's path, or that of a flat page's file. */
function homeOf(paths: readonly string[], home: string | null = null): string | null {
  const rules = { ...contentRules, home };
  const tree = new ContentTree(rules);
  const records = recordsOf(Object.fromEntries(paths.map((path) => [path, "# Title\n"])));
  for (const record of records.values()) tree.add(record);
  tree.settle();
  const found = findHome(tree, rules);
  return found === null ? null : (found.flat?.record.sourcePath ?? found.node.path);
}

describe("findHome", () => {
  for (const [what, paths, expected] of [
    ["the root's own page", ["default.md", "home/default.md", "01.a/default.md"], ""],
    ["the folder home", ["home/default.md", "01.a/default.md", "README.md"], "home"],
    ["a numbered folder home", ["02.home/default.md", "01.a/default.md"], "02.home"],
    ["the flat page home", ["home.md", "01.a/default.md"], "home.md"],
    ["the first ordered page", ["02.b/default.md", "01.a.md", "c/default.md"], "01.a.md"],
    ["an ordered page before a README", ["README.md", "03.b/default.md"], "03.b"],
    ["a README in any case", ["Readme.md", "c/default.md"], "Readme.md"],
    ["nothing where nothing qualifies", ["c/default.md", "d/default.md"], null],
    ["nothing in a tree without pages", [], null],
    ["no module and no draft", ["01._hero/default.md", "_drafts/default.md", "c.md"], null],
    ["no folder below another", ["a/home/default.md"], null],
  ] as const) {
    it(`is ${what}`, () => assert.equal(homeOf(paths), expected));
  }

  for (const [home, expected] of [
    ["start", "start"],
    ["/start/", "start"],
    ["start/deep", "start/deep"],
    ["flat", "flat.md"],
    ["gone", "01.a"],
  ] as const) {
    it(`is ${expected} when ${home} is configured`, () => {
      const paths = ["01.a/default.md", "start/default.md", "start/deep/default.md", "flat.md"];
      assert.equal(homeOf(paths, home), expected);
    });
  }
});
