import assert from "node:assert/strict";
import { RecordedLog } from "#testing";
import type {} from "../../../../plugins/check/contract.js";
import type {} from "../../../../plugins/content/contract.js";
import { bootSite } from "../../../support/sites/boot-site.js";
import { indexOf } from "../../../support/content/content-tree.js";

/** The file of the home page. */
function homeOf(paths: readonly string[], home: string | null = null): string | null {
  const sources = Object.fromEntries(paths.map((path) => [path, "# Title\n"]));
  return indexOf(sources, { home }).at("/", "en")?.sourcePath ?? null;
}

describe("the home page", () => {
  for (const [what, paths, expected] of [
    ["the root's own page", ["default.md", "home/default.md", "01.a/default.md"], "default.md"],
    ["the folder home", ["home/default.md", "01.a/default.md", "README.md"], "home/default.md"],
    ["a numbered folder home", ["02.home/default.md", "01.a/default.md"], "02.home/default.md"],
    ["the flat page home", ["home.md", "01.a/default.md"], "home.md"],
    ["the first ordered page", ["02.b/default.md", "01.a.md", "c/default.md"], "01.a.md"],
    ["an ordered page before a README", ["README.md", "03.b/default.md"], "03.b/default.md"],
    ["a README in any case", ["Readme.md", "c/default.md"], "Readme.md"],
    ["a README before a SUMMARY", ["SUMMARY.md", "README.md"], "README.md"],
    ["the contents of a book without another home", ["SUMMARY.md", "ch01.md"], "SUMMARY.md"],
    ["no page that is named like a summary", ["summary.md", "ch01.md"], null],
    ["nothing where nothing qualifies", ["c/default.md", "d/default.md"], null],
    ["nothing in a tree without pages", [], null],
    ["no module and no draft", ["01._hero/default.md", "_drafts/default.md", "c.md"], null],
    ["no folder below another", ["a/home/default.md"], null],
  ] as const) {
    it(`is ${what}`, () => assert.equal(homeOf(paths), expected));
  }

  for (const [home, expected] of [
    ["start", "start/default.md"],
    ["/start/", "start/default.md"],
    ["start/deep", "start/deep/default.md"],
    ["flat", "flat.md"],
    ["/start/below", "start/below.md"],
    ["gone", "01.a/default.md"],
  ] as const) {
    it(`is ${expected} when ${home} is configured`, () => {
      const paths = ["01.a/default.md", "start/default.md", "start/deep/default.md"];
      assert.equal(homeOf([...paths, "start/below.md", "flat.md"], home), expected);
    });
  }
});

describe("a home in site.yaml that no page has", () => {
  for (const [home, fix] of [
    ["/abuot", 'did you mean "/about"?'],
    ["About", 'did you mean "/about"?'],
    ["/deep/pgae", 'did you mean "/deep/page"?'],
    ["/nope", "name the route of a page, or remove the line"],
  ] as const) {
    it(`reports ${home} with its line, and in health and check`, async () => {
      const log = new RecordedLog();
      const site = await bootSite({
        log: log.logger,
        files: {
          "site.yaml": `title: T\nhome: ${home}\nhealth_token: t\n`,
          "content/01.first/default.md": "# First\n",
          "content/about.md": "# About\n",
          "content/deep/page.md": "# Page\n",
        },
        plugins: ["content", "check", "health", "pages", "markdown", "render"],
      });
      try {
        const wanted = `/${home.replace(/^\//, "")}`;
        const message = `home: there is no page at ${JSON.stringify(wanted)}, and the home page is found as without it; ${fix}`;
        const place = { file: "site.yaml", line: 2, key: "home" };
        const problems = await site.site.context("check").use("check").problems();
        const found = problems.filter(({ code }) => code === "ERR_CONTENT_HOME");
        assert.deepEqual(
          found.map(({ sourcePath: file, line, key, message: text }) => ({
            file,
            line,
            key,
            text,
          })),
          [{ ...place, text: message }],
        );
        const [logged] = log.of("content.problem");
        assert.equal(logged?.fields["message"], message);
        assert.deepEqual(
          { file: logged.fields["file"], line: logged.fields["line"], key: logged.fields["key"] },
          place,
        );
        const health = await (await site.fetch("/health?detailed=true&token=t")).text();
        assert.ok(health.includes('"ERR_CONTENT_HOME"') && health.includes('"site.yaml"'), health);
      } finally {
        await site.close();
      }
    });
  }

  it("reports nothing for one that a page has", async () => {
    const site = await bootSite({
      files: { "site.yaml": "title: T\nhome: about\n", "content/about.md": "# About\n" },
      plugins: ["content", "check", "pages", "markdown", "render"],
    });
    try {
      const problems = await site.site.context("check").use("check").problems();
      assert.deepEqual(
        problems.filter(({ code }) => code === "ERR_CONTENT_HOME"),
        [],
      );
    } finally {
      await site.close();
    }
  });
});
