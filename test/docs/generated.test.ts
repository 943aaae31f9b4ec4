import assert from "node:assert/strict";
import { existsSync } from "node:fs";
import { generatedPages } from "../../scripts/docs/generated.js";
import { withSection } from "../../scripts/docs/marked-section.js";
import { repository, textOf } from "../support/repository.js";

const COMMAND = "node --import=tsx --conditions=source scripts/docs.ts";

describe("the generated sections of the documentation", () => {
  it("match the code", async () => {
    const root = repository.replace(/\/$/, "");
    const pages = await generatedPages(root);
    const outdated = [...pages]
      .filter(([page, text]) => !existsSync(`${root}/${page}`) || textOf(page) !== text)
      .map(([page]) => page);
    assert.deepEqual(outdated, [], `run ${COMMAND}`);
  });

  it("leave the text around them unchanged", () => {
    const page = "before\n<!-- generated: x -->\nold\n<!-- end: x -->\nafter\n";
    assert.equal(
      withSection(page, "x", "new"),
      "before\n<!-- generated: x -->\n\nnew\n\n<!-- end: x -->\nafter\n",
    );
  });

  it("are comments in YAML", () => {
    const file = "redirects:\n  # generated: x\n  old: 1\n  # end: x\n";
    assert.equal(
      withSection(file, "x", "  new: 2"),
      "redirects:\n  # generated: x\n  new: 2\n  # end: x\n",
    );
  });

  it("are refused where a page has no place for them", () => {
    assert.throws(() => withSection("text", "x", "new"), /lacks <!-- generated: x -->/);
  });
});
