import assert from "node:assert/strict";
import { findProblems } from "../../../plugins/check/find-problems.js";
import { bootSite, type TestSite } from "../../support/sites/boot-site.js";
import { linksOf } from "../../support/oracles/check-links.js";

describe("the problems of a site", () => {
  let site: TestSite;
  afterEach(() => site.close());

  async function problems(
    sources: Record<string, string>,
    system: Record<string, unknown> = {},
  ): Promise<string[]> {
    const files = Object.entries(sources).map(([path, text]) => [`content/${path}`, text] as const);
    site = await bootSite({
      files: Object.fromEntries(files),
      plugins: ["content", "check", "render"],
      settings: { system },
    });
    const generation = site.site.use("content").generation();
    const links = { ...(await linksOf(sources)), generation };
    const found = await findProblems(site.site.context("check"), links);
    return found.map(({ sourcePath, code, line }) => [sourcePath, code, line].join(" ").trim());
  }

  it("are sorted by path, then by line", async () => {
    const sources = {
      "01.b/default.md": "[x](/no)\n\n[y](/nor)",
      "02.a/default.md": "[x](/no)",
      "03.c/default.md": "# C",
    };
    assert.deepEqual(await problems(sources), [
      "01.b/default.md ERR_CHECK_LINK 1",
      "01.b/default.md ERR_CHECK_LINK 3",
      "02.a/default.md ERR_CHECK_LINK 1",
    ]);
  });

  it("include missing templates of pages with an address", async () => {
    const sources = { "01.a/default.md": "# A", "02.b/nothing.md": "# B" };
    assert.deepEqual(await problems(sources), ["02.b/nothing.md ERR_CHECK_TEMPLATE"]);
  });

  it("include pages that another language lacks", async () => {
    const sources = {
      "01.a/default.md": "# A",
      "01.a/default.de.md": "# A",
      "02.b/default.md": "# B",
    };
    const languages = { supported: ["en", "de"] };
    assert.deepEqual(await problems(sources, { languages }), [
      "02.b/default.md ERR_CHECK_UNTRANSLATED",
    ]);
  });
});
