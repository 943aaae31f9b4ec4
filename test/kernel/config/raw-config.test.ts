import assert from "node:assert/strict";
import { readRawConfig } from "../../../kernel/config/read-files.js";
import { withRoot } from "../../support/sites/config-root.js";

describe("the configuration before any plugin is loaded", () => {
  it("is the content of the files, not validated and without defaults", () =>
    withRoot(
      {
        "site.yaml": "title: 7\nplugins: [./not-there.ts]\nnonsense: { a: 1 }\n",
        "system.yaml": "debug: maybe\n",
      },
      async (root) => {
        const { site, system, admin } = await readRawConfig(root);
        assert.deepEqual(site, { title: 7, plugins: ["./not-there.ts"], nonsense: { a: 1 } });
        assert.deepEqual([system, admin], [{ debug: "maybe" }, {}]);
      },
    ));

  it("is merged with the overlay of the environment, key by key", () =>
    withRoot(
      {
        "site.yaml": "title: T\nmetadata: { a: one, b: two }\n",
        "env/production/site.yaml": "metadata: { b: other }\n",
        "env/dev/site.yaml": "title: not this one\n",
      },
      async (root) => {
        const { site } = await readRawConfig(root);
        assert.deepEqual(site, { title: "T", metadata: { a: "one", b: "other" } });
      },
    ));

  it("is empty for a folder without files", () =>
    withRoot({}, async (root) => {
      assert.deepEqual(await readRawConfig(root), { site: {}, system: {}, admin: {} });
    }));
});
