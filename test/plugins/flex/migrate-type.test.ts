import assert from "node:assert/strict";
import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { Migrations, migrateText } from "../../../plugins/flex/migrations.js";
import { useFolder } from "../../support/folder.js";
import { flexField, flexType } from "../../support/content/flex-type.js";

describe("migrateText", () => {
  const folder = useFolder();
  const type = flexType([flexField("n", "number", { required: true })], { version: 1 });
  beforeEach(async () => {
    await mkdir(join(folder.path, "product"));
    const step =
      "export const from = 0, to = 1; export const up = ({ old, ...rest }) => ({ ...rest, n: old });";
    await writeFile(join(folder.path, "product", "001-n.mjs"), step);
  });
  const migrate = async (text: string) => {
    const migrations = new Migrations(folder.path, { load: (file) => import(file) });
    return (await migrateText(migrations, type, text)).text;
  };

  it("is the record's file in the type's version", async () => {
    assert.equal(
      await migrate("_id: a\n_createdAt: 5\nold: 3\n"),
      "_id: a\n_createdAt: 5\nn: 3\n_schemaVersion: 1\n",
    );
  });

  it("is null for a current record", async () => {
    assert.equal(await migrate("_schemaVersion: 1\nn: 3\n"), null);
  });

  it("is rejected when the result is invalid or the file is not YAML", async () => {
    await assert.rejects(migrate("other: 1\n"), /N is required/);
    await assert.rejects(migrate("a: ["));
  });
});
