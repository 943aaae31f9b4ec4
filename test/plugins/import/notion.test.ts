import assert from "node:assert/strict";
import { bootEmpty, runImport } from "../../support/sites/import-site.js";
import { PNG, withImported } from "../../support/sites/import-tree.js";

const [WIKI, TASKS, BUY, LONG, TEA] = ["1", "2", "3", "4", "5"].map((digit) =>
  `${digit}0123456789abcdef`.repeat(2).slice(0, 32),
);
const TOP = "Export-11111111-2222-3333-4444-555555555555";

describe("site import notion", () => {
  it("brings pages, databases as tables, properties, callouts, toggles and pictures", () =>
    withImported(
      {
        source: "notion",
        files: {
          [`${TOP}/index.html`]: "<html></html>",
          [`${TOP}/Wiki ${WIKI}.md`]: [
            "# Wiki",
            "",
            "Note: this is text, no property.",
            "",
            `[Tasks](Wiki/Tasks%20${TASKS}.csv) [Tea](Wiki/Tea%20&%20more%20${TEA}.md) [published](https://www.notion.so/team/Tea-more-${TEA}?pvs=21)`,
            "",
            "<aside>",
            "💡 A **tip** with `<aside>`.",
            "",
            "```plain text",
            "code",
            "```",
            "",
            "</aside>",
            "",
            "<aside>",
            '<img src="https://www.notion.so/icons/x.svg" alt="x" width="40px" />',
            "",
            "An icon",
            "",
            "</aside>",
            "",
            "- List",
            "    ",
            "    <aside>",
            "    🍵 Nested",
            "    ",
            "    </aside>",
            "    ",
            "",
            "<details>",
            "<summary>A **toggle**</summary>",
            "",
            "Hidden",
            "",
            "<details>",
            "<summary>Inner</summary>",
            "",
            "Deep",
            "",
            "</details>",
            "",
            "</details>",
            "",
            "[https://www.youtube.com/watch?v=aqz-KE-bpKQ](https://www.youtube.com/watch?v=aqz-KE-bpKQ)",
            "",
            "$e = mc^2$",
            "",
          ].join("\n"),
          [`${TOP}/Wiki/Tea & more ${TEA}.md`]:
            "# Tea & more\n\nCreated: May 1, 2020 8:30 AM\nLast edited time: June 2, 2021\nTags: green, black\n\n![A cup](Tea%20&%20more/cup%201.png)\n",
          [`${TOP}/Wiki/Tea & more/cup 1.png`]: PNG,
          [`${TOP}/Wiki/Tasks ${TASKS}.csv`]: '\uFEFFName,Due\nBuy milk: now,"May 3, 2020"\n',
          [`${TOP}/Wiki/Tasks ${TASKS}_all.csv`]: `\uFEFFName,Due,Related,Draft\nBuy milk: now,"May 3, 2020",Tea (Tea%20&%20more%20${TEA}.md),No\n"A | long, ""quoted"" one",,,Yes\n`,
          [`${TOP}/Wiki/Tasks/Buy milk now ${BUY}.md`]: `# Buy milk: now\n\nDue: May 3, 2020 → May 4, 2020\nRelated: Tea (../Tea%20&%20more%20${TEA}.md)\nDraft: No\n\nMilk: two bottles\n`,
          [`${TOP}/Wiki/Tasks/A long quoted one ${LONG}.md`]:
            '# A | long, "quoted" one\n\nDraft: Yes\n\nText\n',
        },
      },
      async ({ text, notes, unresolved, answer, dead }) => {
        const home = await text("01.home/default.md");
        assert.match(home, /^Note: this is text, no property\.$/m);
        assert.match(
          home,
          /^\[Tasks\]\(\/tasks\) \[Tea\]\(\/tea-more\) \[published\]\(\/tea-more\)$/m,
        );
        assert.match(home, /^::: tip\nA \*\*tip\*\* with `<aside>`\.\n\n```text\ncode\n```\n:::$/m);
        assert.match(home, /^::: note\nAn icon\n:::$/m);
        assert.match(home, /^ {4}::: note\n {4}🍵 Nested\n {4}:::$/m);
        assert.match(
          home,
          /^:::: details A \*\*toggle\*\*\nHidden\n\n::: details Inner\nDeep\n:::\n::::$/m,
        );
        assert.match(home, /^https:\/\/www\.youtube\.com\/watch\?v=aqz-KE-bpKQ$/m);
        const tea = await text("tea-more/default.md");
        assert.match(tea, /^date: 2020-05-01 08:30$/m);
        assert.match(tea, /^updated: 2021-06-02$/m);
        assert.match(tea, /- green\n/);
        assert.match(tea, /---\n\n!\[A cup\]\(\/content-media\/.*cup-1\.png\)\n$/);
        const tasks = await text("tasks/default.md");
        assert.match(
          tasks,
          /^\| Name \| Due \| Related \| Draft \|\n\| --- \| --- \| --- \| --- \|\n\| \[Buy milk: now\]\(<?\/tasks\/buy-milk-now>?\) \| May 3, 2020 \| Tea \| No \|\n\| \[A \\\| long, "quoted" one\]\(<?\/tasks\/a-long-quoted-one>?\) \| {2}\| {2}\| Yes \|$/m,
        );
        const buy = await text("tasks/buy-milk-now/default.md");
        assert.match(
          buy,
          /^custom:\n {2}Due: May 3, 2020 → May 4, 2020\n {2}Related: Tea\n---\n\nMilk: two bottles$/m,
        );
        assert.match(await text("tasks/a-long-quoted-one/default.md"), /^status: draft$/m);
        assert.ok(
          notes.some((note) => /formulas need markdown\.math/.test(note)),
          notes.join("\n"),
        );
        assert.equal(unresolved, 0, notes.join("\n"));
        assert.equal(await answer(`/${TEA}`), "301 /tea-more");
        assert.equal(await answer(`/Tea-more-${TEA}`), "301 /tea-more");
        // A draft has no address yet.
        assert.deepEqual(await dead(), ["/tasks: /tasks/a-long-quoted-one"]);
      },
    ));

  for (const [what, files, expected] of [
    ["an export in HTML", { [`from/Wiki ${WIKI}.html`]: "<p></p>" }, /the export is in HTML/],
    ["archives in the folder", { "from/Part-1.zip": "PK" }, /the folder has archives and no pages/],
  ] as const) {
    it(`says what to do with ${what}`, async () => {
      const site = await bootEmpty(files);
      try {
        const { code, errors } = await runImport(site, ["notion", "from"]);
        assert.equal(code, 1);
        assert.match(errors.join("\n"), expected);
      } finally {
        await site.close();
      }
    });
  }
});
