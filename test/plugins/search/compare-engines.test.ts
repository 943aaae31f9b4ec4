import assert from "node:assert/strict";
import { compareEngines } from "../../../plugins/search/commands.js";
import { bootSite, type TestSite } from "../../support/sites/boot-site.js";

describe("the comparison of engines", () => {
  let site: TestSite;
  before(async () => {
    site = await bootSite({
      files: { "content/a.md": "# Apple", "content/b.md": "# Apple pie" },
      plugins: ["search"],
    });
  });
  after(() => site.close());
  const compare = (right: string, queries: string[]) => {
    const documents = () => site.site.use("search").documents();
    return compareEngines(
      site.site.context("search"),
      { left: "builtin", right, documents },
      queries,
    );
  };

  it("reports full agreement of an engine with itself, also without results", async () => {
    const rows = await compare("builtin", ["apple", "nothing"]);
    assert.deepEqual(
      rows.map(({ query, overlap, sameOrder }) => [query, overlap, sameOrder]),
      [
        ["apple", 1, true],
        ["nothing", 1, true],
      ],
    );
  });

  it("is empty for an unknown engine", async () => {
    assert.deepEqual(await compare("none", ["apple"]), []);
  });
});
