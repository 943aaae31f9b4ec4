import assert from "node:assert/strict";
import { codeOfFile } from "../../acceptance/documentation.js";
import { RecordedLog } from "#testing";
import { bootSite } from "../../support/sites/boot-site.js";
import { until } from "../../support/until.js";

describe("search set-up", () => {
  it("uses another engine as documented, with one file and configuration", async () => {
    const page = "content/06.extend/05.search-engine/docs.md";
    const plugin = codeOfFile(page, "plugins/contains.ts");
    const site = await bootSite({
      env: { SITE_ENV: "production" },
      files: {
        "site.yaml": "title: Test\nplugins:\n  contains:\n    src: ./plugins/contains.ts\n",
        "system.yaml": "search:\n  engine: contains\n",
        "plugins/contains.ts": plugin,
        "content/01.home/default.md": "# Home\n\nPineapples.",
        "content/02.secret/default.md": "---\nroles: member\n---\n# Secret\n\nPineapples.",
      },
    });
    const { items, total } = (await (await site.fetch("/api/search?q=apple")).json()) as {
      items: { route: string }[];
      total: number;
    };
    assert.deepEqual([items.map(({ route }) => route), total], [["/"], 1]);
    assert.equal(site.site.use("search").state().engine, "contains");
    assert.deepEqual(await (await site.fetch("/api/search/suggest?q=sec")).json(), {
      suggestions: [],
    });
    await site.close();
  });

  it("serves pages while the build of a plugin's engine never finishes", async () => {
    const log = new RecordedLog();
    const site = await bootSite({
      plugins: ["content", "pages", "render", "search"],
      log: log.logger,
      files: {
        "system.yaml": "search:\n  engine: slow\n",
        "content/01.home/default.md": "# Home\n",
      },
      extraPlugins: [
        {
          name: "slow",
          version: "1.0.0",
          hooks: {
            onSearchEngineCreate: ({ data }) =>
              data.register("slow", {
                build: () => new Promise<void>(() => undefined),
                search: async () => ({ hits: [], total: 0, facets: {} }),
                suggest: async () => [],
              }),
          },
        },
      ],
    });
    assert.equal((await site.fetch("/")).status, 200);
    assert.equal((await site.fetch("/api/search?q=home")).status, 503);
    await until(() => log.of("search.build_slow").length > 0, 60);
    const [line] = log.of("search.build_slow");
    assert.deepEqual([line?.fields["engine"], line?.fields["plugin"]], ["slow", "slow"]);
    await site.close();
  }).timeout(120_000);
});
