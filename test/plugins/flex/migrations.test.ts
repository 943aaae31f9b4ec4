import assert from "node:assert/strict";
import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { Migrations } from "../../../plugins/flex/migrations.js";
import { useFolder } from "../../support/folder.js";
import { flexType } from "../../support/content/flex-type.js";

describe("Migrations", () => {
  const folder = useFolder();
  const modules = { load: (file: string): Promise<Record<string, unknown>> => import(file) };
  beforeEach(() => mkdir(join(folder.path, "product")));

  function write(name: string, text: string): Promise<void> {
    return writeFile(join(folder.path, "product", name), text);
  }
  const migrations = () => new Migrations(folder.path, modules);
  const product = (version: number) => flexType([], { version });
  const up = (from: number, to: number, body: string) =>
    `export const from = ${from}; export const to = ${to}; export function up(record) { ${body} }`;

  it("runs the steps from a record's version to the type's, in order", async () => {
    await write(
      "001-first.mjs",
      up(0, 1, "return { ...record, name: record.label, label: undefined };"),
    );
    await write("002-second.mjs", up(1, 2, "return { ...record, name: record.name + '!' };"));
    await write("003-third.mjs", up(2, 3, "throw new Error('too far');"));
    await write("notes.txt", "no step");
    const record = await migrations().migrate(product(2), { _id: "a", _createdAt: 1, label: "x" });
    assert.deepEqual([record["name"], record["_schemaVersion"], record["_id"]], ["x!", 2, "a"]);
    const half = await migrations().migrate(product(2), { _schemaVersion: 1, name: "y" });
    assert.equal(half["name"], "y!");
  });

  it("returns the same record when there is nothing to migrate", async () => {
    const record = { _schemaVersion: 2, a: 1 };
    assert.equal(await migrations().migrate(product(2), record), record);
    assert.equal(await migrations().migrate(product(3), record), record, "no step leads on");
  });

  it("preserves the record and its meta keys when a step changes its copy", async () => {
    await write(
      "001-first.mjs",
      up(0, 1, "record.list.push(1); record._id = 'stolen'; return record;"),
    );
    const record = { _id: "a", list: [] };
    const next = await migrations().migrate(product(1), record);
    assert.deepEqual([record.list, next["_id"], next["list"]], [[], "a", [1]]);
  });

  for (const [what, text] of [
    ["throws", up(0, 1, "throw new Error('canary')")],
    ["returns no record", up(0, 1, "return 7")],
    ["exports no up", "export const from = 0; export const to = 1;"],
    ["leads backwards", up(1, 0, "return record")],
    ["is no module", "export const = ;"],
  ] as const) {
    it(`names the file of a step that ${what}`, async () => {
      await write("001-bad.mjs", text);
      await assert.rejects(migrations().migrate(product(1), {}), {
        code: "ERR_FLEX_MIGRATION",
        message: /migrations\/product\/001-bad\.mjs: /,
      });
    });
  }

  it("accepts a default export and an asynchronous step", async () => {
    await write("1-one.mjs", "export default { from: 0, to: 1, up: async () => ({ a: 1 }) };");
    assert.equal((await migrations().migrate(product(1), {}))["a"], 1);
  });

  it("reads the files again after invalidate()", async () => {
    const one = migrations();
    assert.deepEqual(await one.steps("product"), []);
    await write("001-first.mjs", up(0, 1, "return record"));
    assert.deepEqual(await one.steps("product"), []);
    one.invalidate();
    assert.equal((await one.steps("product")).length, 1);
  });
});
