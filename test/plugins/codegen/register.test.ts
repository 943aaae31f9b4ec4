import assert from "node:assert/strict";
import { readFile, rm } from "node:fs/promises";
import { join } from "node:path";
import { assertRegistrable, register } from "../../../plugins/codegen/command.js";
import { makeRoot } from "../../support/sites/config-root.js";

const SRC = "./plugins/boats/index.ts";

describe("the registration of a new plugin", () => {
  let root = "";
  afterEach(() => rm(root, { recursive: true, force: true }));
  const siteYaml = () => readFile(join(root, "site.yaml"), "utf8");

  it("is in site.yaml once, whatever form the list has", async () => {
    root = await makeRoot({ "site.yaml": "plugins:\n  a: { src: ./plugins/a.ts } # first\n" });
    for (const _ of ["first", "again"]) {
      assert.equal(await register(root, SRC), true);
      assert.match(await siteYaml(), /# first\n {2}boats:\n {4}src: \S+\n$/);
    }
  });

  it("reports an overlay that hides it", async () => {
    root = await makeRoot({
      "site.yaml": "title: T\n",
      "env/dev/site.yaml": "plugins: [./plugins/a.ts]\n",
      "env/production/site.yaml": "plugins: [./plugins/a.ts]\n",
    });
    assert.equal(await register(root, SRC), false);
  });

  it("rejects an unsuitable site.yaml before anything is written", async () => {
    root = await makeRoot({ "site.yaml": "title: T\nplugins: all\n" });
    await assert.rejects(assertRegistrable(root, SRC), { code: "ERR_CONFIG_KEY" });
  });
});
