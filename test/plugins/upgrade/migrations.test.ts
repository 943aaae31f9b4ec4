import assert from "node:assert/strict";
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { setYamlKey } from "#lib/yaml";
import { migrateConfig, type Migration } from "../../../plugins/upgrade/apply/migrations.js";
import { useFolder } from "../../support/folder.js";

const migration = (version: string, key: string): Migration => ({
  version,
  file: "site",
  summary: `removes ${key}`,
  keys: [`site.${key}`],
  edit: (text) => setYamlKey(text, [key], null),
});

describe("migrations of the configuration", () => {
  const folder = useFolder();
  const file = (): string => join(folder.path, "site.yaml");

  it("run for the versions after the former one, and keep every other byte", async () => {
    await writeFile(file(), "# ours\na: 1\nb: 2 # two\nc:   3\ntitle: T # short\n");
    const list = [migration("0.4.0", "a"), migration("0.5.0", "b"), migration("0.6.0", "c")];
    const done = await migrateConfig(folder.path, "0.4.0", list);
    assert.deepEqual(done, ["removes b", "removes c"]);
    assert.equal(await readFile(file(), "utf8"), "# ours\na: 1\ntitle: T # short\n");
    assert.deepEqual(await migrateConfig(folder.path, "0.4.0", list), []);
  });

  it("create no file", async () => {
    assert.deepEqual(await migrateConfig(folder.path, "0.1.0", [migration("0.2.0", "a")]), []);
    await assert.rejects(readFile(file()), { code: "ENOENT" });
  });

  it("reject a file that is not YAML", async () => {
    await writeFile(file(), "a: [1\n");
    const running = migrateConfig(folder.path, "0.1.0", [migration("0.2.0", "a")]);
    await assert.rejects(running, { code: "ERR_CONFIG_KEY" });
  });
});
