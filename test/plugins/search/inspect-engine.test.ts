import assert from "node:assert/strict";
import { inspectSite } from "../../../kernel/boot/load-site.js";
import { processEnv } from "../../../kernel/config/env.js";
import { firstParty } from "../../../plugins/main.js";
import { withRoot } from "../../support/sites/config-root.js";

async function keys(files: Record<string, string>): Promise<string[]> {
  return withRoot(files, async (root) => {
    const { config } = await inspectSite(root, { firstParty, env: processEnv(), validates: true });
    return config.problems.map(({ file, line, key, fix }) => `${file}:${line} ${key} ${fix}`);
  });
}

describe("config:validate of a site with first-party plugins", () => {
  const page = { "content/index.md": "# Home" };

  it("reports an unknown theme, search engine and content folder beside other mistakes", async () => {
    const found = await keys({
      ...page,
      "site.yaml": "title: T\nurl: nope\ntheme:\n  name: sea\n",
      "system.yaml": "search: { engine: lunrr }\ncontent: { dir: pages }\n",
      "themes/seaside/theme.yaml": "name: seaside\n",
    });
    assert.deepEqual(found.map((line) => line.split(" ", 2).join(" ")).sort(), [
      "site.yaml:2 url",
      "site.yaml:4 theme.name",
      "system.yaml:1 search.engine",
      "system.yaml:2 content.dir",
    ]);
    assert.match(found.join("\n"), /search\.engine did you mean "lunr"\?/);
  });

  it("accepts valid values", async () => {
    assert.deepEqual(
      await keys({
        ...page,
        "site.yaml": "title: T\ntheme: { name: sea }\n",
        "system.yaml": "search: { engine: lunr }\n",
        "themes/sea/theme.yaml": "name: sea\n",
      }),
      [],
    );
  });

  it("accepts any search engine when a plugin of the site may provide it", async () => {
    const plugin = 'export default { name: "own", version: "1.0.0", setup() {} };\n';
    const files = {
      ...page,
      "site.yaml": "title: T\nplugins: { own: { src: ./plugins/own.mjs } }\n",
      "system.yaml": "search: { engine: own }\n",
      "plugins/own.mjs": plugin,
    };
    assert.deepEqual(await keys(files), []);
  });
});
