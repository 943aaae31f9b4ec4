import assert from "node:assert/strict";
import { affectedTests } from "../../scripts/testing/changed-tests.mjs";

/** File to the files that it imports. */
const imports = new Map(
  Object.entries({
    "plugins/media/variants/variants.ts": ["plugins/media/engines/sharp.ts"],
    "plugins/media/engines/sharp.ts": [],
    "plugins/main.ts": ["plugins/media/index.ts"],
    "plugins/media/index.ts": ["plugins/media/variants/variants.ts"],
    "test/support/sites/boot-site.ts": ["plugins/main.ts"],
    "test/support/content/pictures.ts": [],
    "test/plugins/media/variants/variants.test.ts": ["plugins/media/variants/variants.ts"],
    "test/plugins/media/engines/sharp.test.ts": ["test/support/content/pictures.ts"],
    "test/plugins/search/query/score.test.ts": ["test/support/sites/boot-site.ts"],
    "test/plugins/uploads/index.test.ts": ["test/support/content/pictures.ts"],
    "test/docs/links.test.ts": [],
  }).map(([file, names]) => [file, new Set(names)]),
);

describe("npm test -- --changed", () => {
  it("selects the tests of a file's folder, and those that import it indirectly", () => {
    assert.deepEqual(affectedTests(["plugins/media/engines/sharp.ts"], imports), [
      "test/plugins/media/engines/sharp.test.ts",
      "test/plugins/media/variants/variants.test.ts",
    ]);
  });

  it("does not follow files that every test imports", () => {
    assert.deepEqual(
      affectedTests(["plugins/media/index.ts"], imports),
      [
        "test/plugins/media/variants/variants.test.ts",
        "test/plugins/media/engines/sharp.test.ts",
      ].sort(),
    );
  });

  it("selects a changed test, and the users of a changed support file", () => {
    assert.deepEqual(affectedTests(["test/support/content/pictures.ts"], imports), [
      "test/plugins/media/engines/sharp.test.ts",
      "test/plugins/uploads/index.test.ts",
    ]);
    assert.deepEqual(affectedTests(["test/plugins/search/query/score.test.ts"], imports), [
      "test/plugins/search/query/score.test.ts",
    ]);
  });

  it("selects the tests of the documentation for a page, and nothing for other files", () => {
    assert.deepEqual(affectedTests(["content/02.start/docs.md"], imports), [
      "test/docs/links.test.ts",
    ]);
    assert.deepEqual(affectedTests([".gitignore"], imports), []);
  });
});
