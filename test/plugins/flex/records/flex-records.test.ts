import { FieldKinds, silentLog } from "#kernel";
import assert from "node:assert/strict";
import { mkdir, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import {
  FlexFiles,
  type FlexFile,
  type IsUnchanged,
} from "../../../../plugins/flex/records/flex-files.js";
import { UnreadFiles } from "../../../../plugins/flex/records/unread-files.js";
import { FlexRecords } from "../../../../plugins/flex/records/flex-records.js";
import { Migrations } from "../../../../plugins/flex/migrations.js";
import { RecordSnapshots } from "../../../../plugins/flex/records/record-snapshots.js";
import { useFolder } from "../../../support/folder.js";

describe("FlexRecords", () => {
  const folder = useFolder();
  beforeEach(async () => {
    await mkdir(join(folder.path, "product"));
    await writeFile(
      join(folder.path, "product.yaml"),
      "title: T\nfields:\n  n: { type: number }\n",
    );
    for (const id of ["a", "b"]) await write(id, `n: 1\n`);
  });
  const write = (id: string, text: string) =>
    writeFile(join(folder.path, "product", `${id}.yaml`), text);

  class CountedFiles extends FlexFiles {
    reads = 0;
    override async *records(type: string, isKnown?: IsUnchanged): AsyncGenerator<FlexFile> {
      this.reads += 1;
      yield* super.records(type, isKnown);
    }
  }
  function open() {
    const files = new CountedFiles(folder.path);
    const migrations = new Migrations(join(folder.path, "none"), { load: (file) => import(file) });
    const records = new FlexRecords({
      files,
      migrations,
      snapshots: new RecordSnapshots(join(folder.path, "cache"), silentLog),
      log: silentLog,
      unread: new UnreadFiles(silentLog),
      kinds: new FieldKinds(),
      timezone: "UTC",
      onMigrated: () => undefined,
    });
    const changed = records.readTypes();
    return { files, records, changed };
  }

  it("reads a type once, on demand, for all callers", async () => {
    const { files, records, changed } = open();
    assert.deepEqual([files.reads, records.loadedTypes(), changed], [0, [], ["product"]]);
    const lists = await Promise.all(Array.from({ length: 10 }, () => records.list("product")));
    assert.deepEqual([files.reads, new Set(lists).size], [1, 1]);
    records.invalidate("product");
    await records.list("product");
    assert.equal(files.reads, 2);
  });

  it("returns immutable lists", async () => {
    const { records } = open();
    const before = await records.list("product");
    const first = before?.select().items;
    await write("c", "n: 3\n");
    assert.equal((await records.reread("product", "c"))?.op, "create");
    assert.equal(first?.length, 2);
    assert.equal((await records.list("product"))?.select().total, 3);
  });

  it("detects changes without events", async () => {
    const { records } = open();
    await records.list("product");
    await write("a", "n: 2\n");
    await write("c", "n: 3\n");
    await rm(join(folder.path, "product", "b.yaml"));
    const changed = await records.changed();
    assert.deepEqual(changed.map(({ id }) => id).toSorted(), ["a", "b", "c"]);
    const changes = await Promise.all(changed.map(({ type, id }) => records.reread(type, id)));
    assert.deepEqual(changes.map((change) => change?.op ?? "").toSorted(), [
      "create",
      "delete",
      "update",
    ]);
    assert.deepEqual(await records.changed(), []);
  });

  it("stops reporting a record whose file was deleted", async () => {
    await write("c", "n: [\n");
    const { records } = open();
    assert.equal((await records.problems()).length, 1);
    await rm(join(folder.path, "product", "c.yaml"));
    for (const { type, id } of await records.changed()) await records.reread(type, id);
    assert.deepEqual(await records.problems(), []);
  });

  it("removes a record that has become invalid, and reports it", async () => {
    const { records } = open();
    await records.list("product");
    await write("a", "n: many\n");
    assert.equal((await records.reread("product", "a"))?.op, "delete");
    assert.deepEqual(
      (await records.problems()).map(({ sourcePath }) => sourcePath),
      ["flex-objects/product/a.yaml"],
    );
    await write("a", "n: 5\n");
    assert.equal((await records.reread("product", "a"))?.op, "create");
    assert.deepEqual(await records.problems(), []);
  });

  it("says which types are new, changed or gone", async () => {
    const { records } = open();
    assert.deepEqual(records.readTypes(), []);
    await writeFile(join(folder.path, "other.yaml"), "title: O\nfields: {}\n");
    await writeFile(join(folder.path, "product.yaml"), "title: P\nfields: {}\n");
    assert.deepEqual([...records.readTypes()].toSorted(), ["other", "product"]);
    await rm(join(folder.path, "other.yaml"));
    assert.deepEqual(records.readTypes(), ["other"]);
    assert.equal(records.type("other"), undefined);
  });
});
