import { FieldKinds, silentLog } from "#kernel";
import assert from "node:assert/strict";
import { rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { FlexFiles } from "../../../plugins/flex/records/flex-files.js";
import { UnreadFiles } from "../../../plugins/flex/records/unread-files.js";
import { FlexTypes } from "../../../plugins/flex/flex-types.js";
import { useFolder } from "../../support/folder.js";

describe("FlexTypes", () => {
  const folder = useFolder();
  const schema = (name: string, text: string) => writeFile(join(folder.path, `${name}.yaml`), text);
  const open = () =>
    new FlexTypes({
      files: new FlexFiles(folder.path),
      log: silentLog,
      unread: new UnreadFiles(silentLog),
      kinds: new FieldKinds(),
    });

  it("says which types are new, changed or gone", async () => {
    for (const name of ["a", "b", "c"]) await schema(name, "fields: {}\n");
    const types = open();
    assert.deepEqual(types.read(), ["a", "b", "c"]);
    assert.deepEqual(types.read(), []);
    await schema("b", "title: B\nfields: {}\n");
    await rm(join(folder.path, "c.yaml"));
    await schema("d", "fields: {}\n");
    assert.deepEqual([...types.read()].sort(), ["b", "c", "d"]);
    assert.equal(types.get("b")?.title, "B");
    assert.equal(types.get("c"), undefined);
  });

  it("reports an invalid schema file with its problem", async () => {
    await schema("a", "fields: [\n");
    await schema("b", `fields: {}\n# ${"x".repeat(1_000_000)}`);
    const types = open();
    types.read();
    assert.deepEqual(types.all(), []);
    assert.deepEqual(
      types.problems.map(({ sourcePath, code }) => [sourcePath, code]),
      [
        ["flex-objects/a.yaml", "ERR_FLEX_YAML"],
        ["flex-objects/b.yaml", "ERR_FLEX_YAML"],
      ],
    );
    assert.match(types.problems[1]?.message ?? "", /larger than/);
  });
});
