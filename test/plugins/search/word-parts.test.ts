/** Words inside other words: elisions, hyphens, and scripts without spaces. */
import assert from "node:assert/strict";
import { bootSite, type TestSite } from "../../support/sites/boot-site.js";

const TEXTS: Readonly<Record<string, string>> = {
  fr: "Devant l’école.",
  en: "We don’t know.",
  compound: "A state-of-the-art kiln.",
  zh: "物联网技术正在改变世界。全文搜索需要分词。",
  long: `${"这个城市的图书馆每天都有很多读者".repeat(6)}还有一只熊猫`,
  ja: "ひらがなとカタカナのテスト。",
  th: "ฉันชอบกินข้าวผัด",
  ko: "대한민국헌법을 읽는다",
};

interface Found {
  total: number;
  items: { route: string }[];
  similar: { route: string; matched: string }[];
}

for (const engine of ["builtin", "lunr"]) {
  describe(`words inside other words, with the engine ${engine}`, () => {
    let site: TestSite;
    const search = async (q: string): Promise<Found> => {
      const answer = await site.fetch(`/api/search?similar=1&q=${encodeURIComponent(q)}`);
      const found: Found = await answer.json();
      return found;
    };

    before(async () => {
      const pages = Object.entries(TEXTS).map(([name, text]) => [
        `content/${name}.md`,
        `---\ntitle: ${name.toUpperCase()}\n---\n\n${text}\n`,
      ]);
      site = await bootSite({
        files: { "content/index.md": "# Home\n", ...Object.fromEntries(pages) },
        settings: { system: { search: { engine } } },
        plugins: ["content", "markdown", "render", "search", "search-lunr"],
      });
    });
    after(() => site.close());

    for (const [q, route] of [
      ["l'école", "/fr"],
      ["l’école", "/fr"],
      ["don't", "/en"],
      ["DON‘T", "/en"],
    ] as const) {
      it(`finds ${q} whatever apostrophe the text has`, async () => {
        const { items } = await search(q);
        assert.deepEqual(
          items.map((item) => item.route),
          [route],
        );
      });
    }

    it("finds words behind the 64th character of a record", async () => {
      site.site.context("search").hooks.on("onSearchRecordsCollect", ({ data }) => {
        data.records.push({
          route: "/record",
          title: "Record",
          body: `${"读者".repeat(40)}还有海豚`,
        });
      });
      await site.site.use("search").refreshRecords();
      const { similar } = await search("海豚");
      assert.deepEqual(
        similar.map((item) => item.route),
        ["/record"],
      );
    });

    for (const [q, route] of [
      ["école", "/fr"],
      ["art", "/compound"],
      ["搜索", "/zh"],
      ["技术", "/zh"],
      ["熊猫", "/long"],
      ["カタカナ", "/ja"],
      ["ข้าว", "/th"],
      ["헌법", "/ko"],
    ] as const) {
      it(`finds ${q} among the similar hits`, async () => {
        const { total, similar } = await search(q);
        assert.equal(total, 0);
        assert.deepEqual(
          similar.map((item) => [item.route, item.matched]),
          [[route, "part"]],
        );
      });
    }

    it("ignores letters that span two words", async () => {
      assert.deepEqual((await search("索需")).similar, []);
    });
  });
}
