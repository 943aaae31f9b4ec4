import assert from "node:assert/strict";
import { bootSite, type TestSite } from "../../../support/sites/boot-site.js";
import { modularFiles } from "../../../support/content/modular-files.js";
import { usePostgres } from "../../../support/services.js";
import { until } from "../../../support/until.js";

for (const engine of ["builtin", "lunr", "postgres"]) {
  describe(`texts of modules in the search engine ${engine}`, () => {
    let site: TestSite;
    let env: Record<string, string> = { SITE_ENV: "production" };
    let time = Date.parse("2026-11-20T12:00:00Z");
    before(async function () {
      if (engine === "postgres") env = { ...env, SITE_DB_URL: (await usePostgres(this)).url };
      const plugins = ["content", "markdown", "search", "pages"];
      if (engine !== "builtin") plugins.push(`search-${engine}`);
      const search = { engine };
      const settings = { system: { search, server: { rate_limit: false as const } } };
      const clock = { now: () => time };
      site = await bootSite({ plugins, settings, env, clock, files: modularFiles });
    });
    after(() => site.close());
    const found = async (word: string): Promise<{ route: string; excerpt: string }[]> => {
      const answer = await site.fetch(`/api/search?q=${word}&limit=20`);
      return ((await answer.json()) as { items: { route: string; excerpt: string }[] }).items;
    };
    const routes = async (word: string): Promise<string[]> =>
      (await found(word)).map(({ route }) => route);

    it("are found at the address of the page, with their excerpt", async () => {
      const [hit, ...others] = await found("salty");
      assert.deepEqual([hit?.route, others], ["/", []]);
      assert.match(hit?.excerpt ?? "", /<mark>Salty<\/mark> wind/);
      assert.deepEqual(await routes("boat"), ["/book", "/"]);
    });

    it("include title and texts in the front matter", async () => {
      await site.write(
        "content/03.book/04._d/features.md",
        "---\ntitle: Lighthouses\ntext: Beacons\nurl: /unseen\nitems: [{ title: Foghorn, text: Loudness, url: /unseen }]\nimages: [{ file: unseen.png, caption: Breakwater }]\n---\n",
      );
      await until(async () => (await routes("lighthouses")).join() === "/book");
      for (const word of ["beacons", "foghorn", "loudness", "breakwater"])
        assert.deepEqual(await routes(word), ["/book"], word);
      assert.deepEqual(await routes("unseen"), []);
    });

    it("are not found when the module is hidden, or has roles that the page has not", async () => {
      for (const word of ["unfinished", "membersonly", "boardroom", "clubrules", "scheduled"])
        assert.deepEqual(await routes(word), [], word);
    });

    it("follow changed, added and deleted modules", async () => {
      await site.write("content/01.home/02._prices/timetable.md", "Sixty doubloons.\n");
      await until(async () => (await routes("doubloons")).join() === "/");
      assert.deepEqual(await routes("forty"), []);
      await site.write("content/03.book/03._c/text.md", "Third schooner.\n");
      await until(async () => (await routes("schooner")).join() === "/book");
      await site.site.use("content").apply([{ op: "delete", path: "03.book/03._c/text.md" }]);
      await until(async () => (await routes("schooner")).length === 0);
    });

    it("are found from the date of a scheduled module on", async () => {
      time = Date.parse("2026-12-02T12:00:00Z");
      await until(async () => (await routes("scheduled")).join() === "/");
    });
  });
}
