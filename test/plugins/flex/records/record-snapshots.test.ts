import { FieldKinds, silentLog } from "#kernel";
import assert from "node:assert/strict";
import { mkdir, readFile, rm, utimes, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { FlexFile, IsUnchanged } from "../../../../plugins/flex/records/flex-files.js";
import { FlexFiles } from "../../../../plugins/flex/records/flex-files.js";
import { UnreadFiles } from "../../../../plugins/flex/records/unread-files.js";
import { FlexRecords } from "../../../../plugins/flex/records/flex-records.js";
import { Migrations } from "../../../../plugins/flex/migrations.js";
import { RecordSnapshots } from "../../../../plugins/flex/records/record-snapshots.js";
import { useFolder } from "../../../support/folder.js";

const schema = "title: T\nfields:\n  n: { type: number }\n";
const count = 120;
/** Long before the test: a file this old cannot change within a tick of its clock. */
const old = new Date("2020-01-01T00:00:00Z");

describe("record snapshots for the next startup", () => {
  const folder = useFolder();
  const path = (id: string): string => join(folder.path, "product", `${id}.yaml`);
  const cache = (): string => join(folder.path, "cache", "product.json");
  const write = async (id: string, text: string, at = old): Promise<void> => {
    await writeFile(path(id), text);
    await utimes(path(id), at, at);
  };
  beforeEach(async () => {
    await mkdir(join(folder.path, "product"));
    await writeFile(join(folder.path, "product.yaml"), schema);
    for (let at = 0; at < count; at += 1) await write(`r${at}`, `n: ${at}\n`);
  });

  class WatchedFiles extends FlexFiles {
    readonly read: string[] = [];
    override async *records(type: string, isKnown?: IsUnchanged): AsyncGenerator<FlexFile> {
      for await (const file of super.records(type, isKnown)) {
        if (file.isKnown !== true) this.read.push(file.name);
        yield file;
      }
    }
  }
  /** A start: what was read, and the values of the records. */
  async function start(work?: (records: FlexRecords) => Promise<unknown>) {
    const files = new WatchedFiles(folder.path);
    const records = new FlexRecords({
      files,
      migrations: new Migrations(join(folder.path, "migrations"), { load: (file) => import(file) }),
      snapshots: new RecordSnapshots(join(folder.path, "cache"), silentLog),
      log: silentLog,
      unread: new UnreadFiles(silentLog),
      kinds: new FieldKinds(),
      timezone: "UTC",
      onMigrated: () => undefined,
    });
    records.readTypes();
    const list = await records.list("product");
    await work?.(records);
    await records.save();
    const slice = (await records.list("product")) ?? list ?? assert.fail("no such type");
    const values = new Map(
      slice.all().map(({ record, hash }) => [record._id, [record["n"], hash]]),
    );
    return { read: files.read, values };
  }

  it("are not read again, and are the same", async () => {
    const first = await start();
    assert.equal(first.read.length, count);
    const second = await start();
    assert.deepEqual(second.read, []);
    assert.deepEqual(second.values, first.values);
  });

  it("are read again when the time or size of their file changes, and dropped when deleted", async () => {
    await start();
    await write("r1", "n: 1001\n");
    await write("r2", "n: 9\n", new Date("2021-01-01T00:00:00Z"));
    await rm(path("r3"));
    await write("new", "n: 5\n");
    const { read, values } = await start();
    assert.deepEqual(read.toSorted(), ["new", "r1", "r2"]);
    assert.deepEqual(
      ["r1", "r2", "r3", "new"].map((id) => values.get(id)?.[0]),
      [1001, 9, undefined, 5],
    );
    assert.deepEqual((await start()).read, []);
  });

  it("include changes made while the site ran", async () => {
    await start(async (records) => {
      await write("r1", "n: 77\n");
      await records.reread("product", "r1");
      await rm(path("r2"));
      await records.reread("product", "r2");
    });
    const { read, values } = await start();
    assert.deepEqual(read, []);
    assert.deepEqual([values.get("r1")?.[0], values.get("r2")], [77, undefined]);
  });

  it("are read again when the schema has changed", async () => {
    await start();
    await writeFile(join(folder.path, "product.yaml"), `${schema}  more: { type: text }\n`);
    assert.equal((await start()).read.length, count);
  });

  it("omit files written shortly before, which may change within a tick", async () => {
    await write("r1", "n: 1\n", new Date());
    await start();
    assert.deepEqual((await start()).read, ["r1"]);
  });

  it("omit records of an older schema until they are written back", async () => {
    await mkdir(join(folder.path, "migrations", "product"), { recursive: true });
    await writeFile(
      join(folder.path, "migrations", "product", "001-double.mjs"),
      "export const up = (record) => ({ ...record, n: record.n * 2 });\n",
    );
    await writeFile(join(folder.path, "product.yaml"), `version: 1\n${schema}`);
    for (let at = 0; at < count; at += 1)
      if (at > 0) await write(`r${at}`, `n: ${at}\n_schemaVersion: 1\n`);
    await start();
    assert.deepEqual((await start()).read, ["r0"]);
  });

  it("report a broken record at every startup", async () => {
    await write("r1", "n: [\n");
    await start();
    const { read, values } = await start();
    assert.deepEqual([read, values.has("r1")], [["r1"], false]);
  });

  for (const [damage, damaged] of Object.entries({
    empty: () => "",
    "cut off": (text: string) => text.slice(0, text.length / 2),
    binary: () => "\0\x01\x02",
    "of another shape": () => '{"identity":1,"records":{}}',
    "a list": () => "[]",
    null: () => "null",
    "full of invalid rows": (text: string) =>
      JSON.stringify({
        ...(JSON.parse(text) as object),
        records: [null, 1, [], ["r1"], ["r1", 1, 1, "h", true, "{"], ["r1", 1, 1, "h", true, "{}"]],
      }),
  })) {
    it(`are read again when the snapshot is ${damage}`, async () => {
      const first = await start();
      await writeFile(cache(), damaged(await readFile(cache(), "utf8")));
      const { read, values } = await start();
      assert.equal(read.length, count);
      assert.deepEqual(values, first.values);
    });
  }

  it("only cost time when they cannot be written", async () => {
    await writeFile(join(folder.path, "cache"), "a file where the folder should be");
    assert.equal((await start()).values.size, count);
  });

  it("are not written for a type with few records", async () => {
    for (let at = 50; at < count; at += 1) await rm(path(`r${at}`));
    await start();
    await assert.rejects(readFile(cache()));
  });
});
