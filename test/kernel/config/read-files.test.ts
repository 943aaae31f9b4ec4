import assert from "node:assert/strict";
import { createEnv } from "../../../kernel/config/env.js";
import { readConfigFiles, readRawConfig } from "../../../kernel/config/read-files.js";
import { loadConfig, places, withRoot, type Files } from "../../support/sites/config-root.js";

const read = (files: Files, mode: "dev" | "production" = "production") =>
  withRoot(files, (root) => readConfigFiles(root, createEnv({}, mode)));

describe("the configuration files", () => {
  it("may all be missing", async () => {
    const { list, problems, plugins } = await read({});
    assert.deepEqual([list, problems, plugins], [[], [], undefined]);
  });

  it("are in a folder: a missing one, or a file, is rejected by path", async () => {
    const env = createEnv({}, "production");
    const file = import.meta.filename;
    for (const [root, message] of [
      ["/nowhere/at/all", 'folder "/nowhere/at/all" does not exist'],
      [file, `${JSON.stringify(file)} is not a folder`],
      [`${file}/x`, `folder ${JSON.stringify(`${file}/x`)} does not exist`],
    ] as const)
      await assert.rejects(readConfigFiles(root, env), { code: "ERR_CONFIG_ROOT", message });
  });

  it("are in the root or in config/, each on its own", async () => {
    const { list, problems } = await read({
      "site.yaml": "",
      "config/system.yaml": "",
      "admin.yaml": "",
    });
    assert.deepEqual(list, ["site.yaml", "config/system.yaml", "admin.yaml"]);
    assert.deepEqual(problems, []);
  });

  it("must not be in both places", async () => {
    const { problems } = await read({ "site.yaml": "title: A", "config/site.yaml": "title: B" });
    assert.deepEqual(places(problems), ["config/site.yaml:1:1 "]);
  });

  it("are overlaid only by those of the mode, beside the files or in the root", async () => {
    const files = {
      "config/site.yaml": "",
      "config/env/dev/site.yaml": "",
      "env/production/site.yaml": "",
    };
    assert.deepEqual((await read(files, "dev")).list, [
      "config/site.yaml",
      "config/env/dev/site.yaml",
    ]);
    assert.deepEqual((await read(files)).list, ["config/site.yaml", "env/production/site.yaml"]);
  });

  const misnamed = ["site.yml", "Site.yaml", "config/system.yml", "env/production/sytem.yaml"];
  for (const file of misnamed) {
    it(`are reported when one is called ${file}`, async () => {
      assert.deepEqual(places((await read({ [file]: "a: 1" })).problems), [`${file}:1:1 `]);
    });
  }

  it("may be accompanied by other YAML files", async () => {
    assert.deepEqual(
      (await read({ "docker-compose.yml": "a: 1", "config/x.yaml": "" })).problems,
      [],
    );
  });

  it("must be files", async () => {
    const { problems } = await read({ "site.yaml/inside.txt": "x" });
    assert.deepEqual(places(problems), ["site.yaml:1:1 "]);
  });

  it("may carry the admin keys at top level, below `admin:`, and in site.yaml", async () => {
    const runtimeDir = async (files: Files) => (await loadConfig(files)).settings.admin.runtimeDir;
    assert.equal(await runtimeDir({ "admin.yaml": "runtimeDir: a" }), "a");
    assert.equal(await runtimeDir({ "admin.yaml": "admin:\n  runtimeDir: b" }), "b");
    assert.equal(await runtimeDir({ "site.yaml": "title: T\nadmin: { runtimeDir: c }" }), "c");
    const both = { "site.yaml": "admin: { runtimeDir: c }", "admin.yaml": "runtimeDir: d" };
    assert.equal(await runtimeDir(both), "d");
  });

  it("are invalid with an `admin` that is not a mapping", async () => {
    const { problems } = await read({ "site.yaml": "title: T\nadmin: yes please" });
    assert.deepEqual(places(problems), ["site.yaml:2:1 admin"]);
  });

  it("are the raw configuration, merged with the overlay, not validated and without defaults", () =>
    withRoot(
      {
        "site.yaml": "title: 7\nplugins: [./not-there.ts]\nmetadata: { a: one, b: two }\n",
        "env/production/site.yaml": "metadata: { b: other }\n",
        "env/dev/site.yaml": "title: not this one\n",
        "system.yaml": "debug: maybe\n",
      },
      async (root) => {
        const { site, system, admin } = await readRawConfig(root);
        const metadata = { a: "one", b: "other" };
        assert.deepEqual(site, { title: 7, plugins: ["./not-there.ts"], metadata });
        assert.deepEqual([system, admin], [{ debug: "maybe" }, {}]);
      },
    ));
});
