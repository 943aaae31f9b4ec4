import assert from "node:assert/strict";
import { createBuiltinEngine } from "../../../../plugins/search/engines/builtin/builtin-engine.js";
import { deferred } from "../../../support/deferred.js";
import { bootSite } from "../../../support/sites/boot-site.js";
import { until } from "../../../support/until.js";

describe("the words of an index that contain others", () => {
  it("are looked up once for the newest version, also when an older lookup fails later", async () => {
    const late = deferred<readonly string[]>();
    let lookups = 0;
    const site = await bootSite({
      files: { "content/index.md": "# Home\n" },
      settings: { system: { search: { engine: "late" } } },
      plugins: ["content", "markdown", "search"],
      extraPlugins: [
        {
          name: "late",
          version: "1.0.0",
          requires: ["search"],
          hooks: {
            onSearchEngineCreate: ({ data }) => {
              const engine = createBuiltinEngine(data.tools.points);
              data.register("late", {
                ...engine,
                words: ({ prefix }) => {
                  if (prefix !== "") return [];
                  lookups += 1;
                  return lookups === 1 ? late.promise : ["state-of-the-art"];
                },
              });
            },
          },
        },
      ],
    });
    const search = (q: string) => site.fetch(`/api/search?similar=1&q=${q}`);
    const first = search("art");
    await until(() => lookups === 1);
    await site.site
      .use("content")
      .apply([{ op: "write", path: "kiln.md", content: "# A state-of-the-art kiln\n" }]);
    const found: { similar: { route: string }[] } = await (await search("art")).json();
    assert.deepEqual(
      found.similar.map(({ route }) => route),
      ["/kiln"],
    );
    late.reject(new Error("too late"));
    await first;
    await search("state");
    assert.equal(lookups, 2);
    await site.close();
  });
});
