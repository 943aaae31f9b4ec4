import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { globSync } from "tinyglobby";
import { repository } from "../support/repository.js";

/** The section that says what an operator sets and sends. */
const SECTION = "/operate/operation#detailed-health";
/** Generated tables of settings, whose texts have no links: `health_token` itself is one of them. */
const SETTINGS = "content/05.operate/15.configuration/docs.md";

describe("the docs", () => {
  it("name the token wherever they name the detailed health", async () => {
    const pages = globSync("content/**/*.md", { cwd: repository }).toSorted();
    const without = new Array<string>();
    for (const page of pages) {
      const text = await readFile(join(repository, page), "utf8");
      if (page === SETTINGS || !text.includes("/health?detailed=true")) continue;
      const hasSection = text.includes(SECTION) || text.includes("\n## Detailed health\n");
      if (!hasSection || !text.includes("health_token")) without.push(page);
    }
    assert.deepEqual(without, []);
  });
});
