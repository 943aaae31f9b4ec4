import assert from "node:assert/strict";
import { ContentTree } from "../../../../plugins/content/index/content-tree.js";
import { hasFolderPage } from "../../../../plugins/content/index/tree-nodes.js";
import { contentRules, recordsOf } from "../../../support/content/content-tree.js";

describe("hasFolderPage", () => {
  for (const [name, isPage] of [
    ["post.md", true],
    ["default.md", true],
    ["post.de.md", true],
    ["other.md", false],
  ] as const) {
    it(`is ${isPage} for a folder with ${name}`, () => {
      const tree = new ContentTree({ ...contentRules, languages: ["en", "de"] });
      for (const record of recordsOf({ [`a/${name}`]: "" }).values()) tree.add(record);
      tree.settle();
      const [folder] = tree.root.folders;
      assert.ok(folder);
      assert.equal(hasFolderPage(folder), isPage);
      assert.equal(hasFolderPage(tree.root), false);
    });
  }
});
