import assert from "node:assert/strict";
import { parseHeader } from "../support/packages/plugin-header.js";

describe("the parser of plugin headers", () => {
  it("reads the lists, without brackets and across lines", () => {
    const header = parseHeader(
      "/**\n * Finds pages.\n * Provides: search, `searchStore` (a slot).\n * Uses: content,\n *   markdown\n * Handles: onRebuild\n */\n",
    );
    assert.deepEqual(header, {
      Provides: ["search", "searchStore"],
      Uses: ["content", "markdown"],
      Opens: [],
      Adds: [],
      Fires: [],
      Handles: ["onRebuild"],
      problems: [],
    });
  });

  const faulty = {
    "no comment": 'import "x";',
    "no sentence": "/**\n * Provides: search\n */",
    "lists out of order": "/**\n * Finds pages.\n * Uses: content\n * Provides: search\n */",
    "a list twice": "/**\n * Finds pages.\n * Uses: content\n * Uses: media\n */",
    "an empty list": "/**\n * Finds pages.\n * Uses:\n */",
    "nine lines":
      "/**\n * Finds\n * pages\n * in\n * many\n * ways\n * and\n * in\n * many\n * forms.\n */",
  };
  for (const [fault, source] of Object.entries(faulty)) {
    it(`reports ${fault}`, () => {
      assert.notDeepEqual(parseHeader(source).problems, []);
    });
  }
});
