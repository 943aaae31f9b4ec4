import { FieldKinds, type Modules, silentLog } from "#kernel";
import assert from "node:assert/strict";
import { mkdir, readdir, readFile, rm, symlink, utimes, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { parse } from "yaml";
import { FlexObjects } from "../../../plugins/flex/flex-objects.js";
import { useFolder } from "../../support/folder.js";

const schema = `
title: Products
fields:
  name: { type: text, label: Name, required: true }
  price: { type: number, label: Price, validate: { min: 0 } }
`;

describe("FlexObjects", () => {
  const folder = useFolder();
  const record = (id: string, type = "product") =>
    join(folder.path, "flex-objects", type, `${id}.yaml`);
  beforeEach(async () => {
    await mkdir(join(folder.path, "flex-objects", "product"), { recursive: true });
    await writeFile(join(folder.path, "flex-objects", "product.yaml"), schema);
  });

  function open() {
    const changes: string[] = [];
    const time = { now: 1_000 };
    const modules: Modules = {
      load: (file) => import(file),
      invalidate: () => Promise.resolve(),
      provide: () => undefined,
    };
    const flex = new FlexObjects({
      kinds: new FieldKinds(),
      folder: join(folder.path, "flex-objects"),
      migrations: join(folder.path, "migrations"),
      cache: join(folder.path, "cache"),
      modules,
      clock: { now: () => time.now },
      timezone: "UTC",
      log: silentLog,
      announce: async ({ op, type, id, after }) => {
        const now = after === null ? "gone" : String(after.record["name"]);
        changes.push(`${op} ${type}/${id || "-"} ${now}`);
      },
    });
    flex.readTypes();
    return { flex, changes, time };
  }
  const create = (flex: FlexObjects, data: Record<string, unknown>, id?: string) =>
    flex.apply([{ op: "create", type: "product", data, ...(id !== undefined && { id }) }]);

  const update = (flex: FlexObjects, data: Record<string, unknown>) =>
    flex.apply([{ op: "update", type: "product", id: "a", data }]);

  describe("reading", () => {
    it("finds types by file name, own properties only", async () => {
      const { flex } = open();
      assert.deepEqual(
        flex.types().map(({ name }) => name),
        ["product"],
      );
      assert.equal(flex.flexTypes().length, 1);
      for (const name of ["constructor", "__proto__", "toString", "none", "../product"]) {
        assert.equal(flex.type(name), undefined);
        assert.equal(await flex.list(name), null);
        assert.equal(await flex.get(name, "a"), null);
      }
      assert.deepEqual(await flex.list("product"), { records: [], total: 0 });
    });

    it("omits invalid files and reports why, per file", async () => {
      await writeFile(record("good"), "name: A\n_createdAt: 5\n");
      await writeFile(record("nameless"), "price: 1\n");
      await writeFile(record("broken"), "name: A\nprice: [1\n");
      await writeFile(record("list"), "- a\n");
      await writeFile(record("bad id!"), "name: A\n");
      await mkdir(record("folder"));
      await symlink("/etc/passwd", record("link"));
      await writeFile(join(folder.path, "flex-objects", "other.yaml"), "title: [\n");
      const large = `fields: {}\n# ${"x".repeat(1_000_000)}`;
      await writeFile(join(folder.path, "flex-objects", "large.yaml"), large);
      const { flex } = open();
      assert.deepEqual(
        (await flex.list("product"))?.records.map(({ _id }) => _id),
        ["good"],
      );
      const problems = await flex.problems();
      assert.deepEqual(problems.map(({ sourcePath, code }) => `${sourcePath} ${code}`).toSorted(), [
        "flex-objects/large.yaml ERR_FLEX_YAML",
        "flex-objects/other.yaml ERR_FLEX_YAML",
        "flex-objects/product/broken.yaml ERR_FLEX_YAML",
        "flex-objects/product/folder.yaml ERR_FLEX_YAML",
        "flex-objects/product/link.yaml ERR_FLEX_YAML",
        "flex-objects/product/list.yaml ERR_FLEX_YAML",
        "flex-objects/product/nameless.yaml ERR_FLEX_REQUIRED",
      ]);
      assert.ok(problems.some(({ message }) => /larger than/.test(message)));
    });

    it("reads no records through a folder that is a link to the outside", async () => {
      await rm(join(folder.path, "flex-objects", "product"), { recursive: true });
      await mkdir(join(folder.path, "outside"));
      await writeFile(join(folder.path, "outside", "a.yaml"), "name: canary\n");
      await symlink(join(folder.path, "outside"), join(folder.path, "flex-objects", "product"));
      assert.equal((await open().flex.list("product"))?.total, 0);
    });

    it("hides unpublished records from lists and single responses, not from editors", async () => {
      await writeFile(record("a"), "name: A\npublished: false\n");
      const { flex } = open();
      assert.equal((await flex.list("product"))?.total, 0);
      assert.equal(await flex.get("product", "a"), null);
      assert.equal((await flex.source("product", "a"))?.record["name"], "A");
      assert.equal((await flex.all("product")).length, 1);
    });

    it("follows external file changes, and announces each change once", async () => {
      const { flex, changes } = open();
      await flex.list("product");
      await writeFile(record("a"), "name: A\n");
      await flex.filesChanged([{ type: "product", id: "a" }]);
      await flex.filesChanged([{ type: "product", id: "a" }]);
      await writeFile(record("a"), "name: B\n");
      await flex.rescan();
      await rm(record("a"));
      await flex.rescan();
      await flex.rescan();
      assert.deepEqual(changes, [
        "create product/a A",
        "update product/a B",
        "delete product/a gone",
      ]);
      assert.equal((await flex.list("product"))?.total, 0);
    });

    it("reloads records when their schema changes", async () => {
      await writeFile(record("a"), "name: A\nsize: 3\n");
      const { flex, changes } = open();
      assert.equal((await flex.get("product", "a"))?.["size"], undefined);
      const wider = `${schema}  size: { type: number }\n`;
      await writeFile(join(folder.path, "flex-objects", "product.yaml"), wider);
      await flex.filesChanged([{ type: "product", id: null }]);
      assert.equal((await flex.get("product", "a"))?.["size"], 3);
      assert.deepEqual(changes, ["update product/- gone"]);
    });
  });

  describe("writing", () => {
    it("creates a record with a fresh id, times and coerced values", async () => {
      const { flex, changes } = open();
      const [result] = await create(flex, {
        name: "A",
        price: "3",
        extra: 1,
        _id: "x",
        _createdAt: 5,
      });
      assert.equal(result?.status, "created");
      assert.match(result.id, /^[0-9a-f]{12}$/);
      const file = { _id: result.id, _createdAt: 1_000, _updatedAt: 1_000, name: "A", price: 3 };
      assert.deepEqual(parse(await readFile(record(result.id), "utf8")), file);
      assert.deepEqual(result.record, { ...file, _type: "product" });
      assert.deepEqual(await flex.get("product", result.id), result.record);
      assert.deepEqual(changes, [`create product/${result.id} A`]);
    });

    it("updates the given fields and preserves the rest, including unknown fields", async () => {
      await writeFile(record("a"), "_createdAt: 5\nname: A\nprice: 1\nnote: kept\n");
      const { flex, time } = open();
      time.now = 2_000;
      const [result] = await update(flex, { price: 2 });
      assert.equal(result?.status, "updated");
      assert.equal(
        await readFile(record("a"), "utf8"),
        "_createdAt: 5\nname: A\nprice: 2\nnote: kept\n_updatedAt: 2000\n",
      );
      await update(flex, { price: null });
      assert.equal((await flex.get("product", "a"))?.["price"], undefined);
    });

    it("changes only the lines of fields that differ, and keeps the time of creation", async () => {
      const text =
        "# supplier: ask first\nname: 'Tide chart'   # old name\nprice: 21.00\nlegacy: A-77\ntags: [ light,craft ]\nnote: >-\n  folded\n  text\n";
      await writeFile(record("a"), text);
      await utimes(record("a"), 1_500, 1_500);
      const { flex, time } = open();
      time.now = 2_000_000;
      const data = { name: "Tide chart 2009", price: 21 };
      const [result] = await update(flex, data);
      assert.deepEqual([result?.status, result?.record?._createdAt], ["updated", 1_500_000]);
      assert.equal(
        await readFile(record("a"), "utf8"),
        `${text.replace("'Tide chart'", "'Tide chart 2009'")}_createdAt: 1500000\n_updatedAt: 2000000\n`,
      );
      const same = await readFile(record("a"), "utf8");
      time.now = 3_000_000;
      await update(flex, data);
      assert.equal(await readFile(record("a"), "utf8"), same, "an equal change writes nothing");
    });

    it("shows the text in the file for a field of a text kind", async () => {
      for (const [name, shown] of [
        ["01234", "01234"],
        ["1.10", "1.10"],
        ["1234567890123456789", "1234567890123456789"],
        ["True", "True"],
        ["0x1F", "0x1F"],
      ]) {
        const text = `name: ${name}\nprice: 1.50\n`;
        await writeFile(record("a"), text);
        const { flex } = open();
        assert.equal((await flex.get("product", "a"))?.["name"], shown);
        await update(flex, { name: shown });
        assert.equal(await readFile(record("a"), "utf8"), text);
      }
    });

    it("reports a file that is not a map with its line, and keeps it", async () => {
      for (const [text, line] of [
        ["name: A\nprice: [1\n", 2],
        ["- a\n", 1],
        ["name: A\nname: B\n", 2],
      ] as const) {
        await writeFile(record("a"), text);
        const { flex } = open();
        const [result] = await update(flex, { name: "X" });
        assert.equal(result?.code, "ERR_FLEX_YAML");
        assert.match(
          result?.errors[0]?.message ?? "",
          new RegExp(`product/a\\.yaml.*line ${line}:`),
        );
        assert.equal(await readFile(record("a"), "utf8"), text);
      }
    });

    it("names the key whose anchor another key uses, and keeps the file", async () => {
      const text = "name: &n A\nnote: *n\n";
      await writeFile(record("a"), text);
      const { flex } = open();
      const [result] = await update(flex, { name: "X" });
      assert.equal(result?.code, "ERR_FLEX_YAML");
      assert.match(result?.errors[0]?.message ?? "", /line 1: key "name" is shared: line 2/);
      assert.equal(await readFile(record("a"), "utf8"), text);
    });

    it("hides and shows a record again", async () => {
      const { flex } = open();
      await create(flex, { name: "A", published: false }, "a");
      assert.equal(await flex.get("product", "a"), null);
      await update(flex, { price: 2 });
      assert.equal(await flex.get("product", "a"), null, "another change does not show it");
      await update(flex, { published: true });
      assert.ok(await flex.get("product", "a"));
      assert.doesNotMatch(await readFile(record("a"), "utf8"), /published/);
    });

    it("deletes", async () => {
      await writeFile(record("a"), "name: A\n");
      const { flex, changes } = open();
      const [result] = await flex.apply([{ op: "delete", type: "product", id: "a" }]);
      assert.deepEqual([result?.status, result?.record], ["deleted", null]);
      assert.deepEqual(await readdir(join(folder.path, "flex-objects", "product")), []);
      assert.deepEqual(changes, ["delete product/a gone"]);
    });

    it("rejects with a code and writes nothing", async () => {
      await writeFile(record("a"), "name: A\n");
      const { flex, changes } = open();
      const results = await flex.apply([
        { op: "create", type: "none", data: { name: "A" } },
        { op: "create", type: "../product", data: { name: "A" } },
        { op: "create", type: "product", id: "../x", data: { name: "A" } },
        { op: "create", type: "product", id: "a", data: { name: "A" } },
        { op: "create", type: "product", data: { price: -1 } },
        { op: "update", type: "product", id: "none", data: { name: "A" } },
        { op: "update", type: "product", id: "a", data: { name: "" } },
        { op: "update", type: "product", id: "a", data: { name: "B" }, ifHash: "old" },
        { op: "delete", type: "product", id: "none" },
        { op: "delete", type: "product", id: "a", ifHash: "old" },
      ]);
      assert.deepEqual(
        results.map(({ status, code }) => `${status} ${code}`),
        [
          "TYPE",
          "TYPE",
          "ID",
          "EXISTS",
          "INVALID",
          "RECORD",
          "INVALID",
          "CONFLICT",
          "RECORD",
          "CONFLICT",
        ].map((code) => `error ERR_FLEX_${code}`),
      );
      assert.deepEqual(results[4]?.errors, [
        { field: "name", code: "ERR_FLEX_REQUIRED", message: "Name is required." },
        { field: "price", code: "ERR_FLEX_MIN", message: "Price must be at least 0." },
      ]);
      assert.deepEqual(changes, []);
      assert.equal(await readFile(record("a"), "utf8"), "name: A\n");
      assert.deepEqual((await readdir(folder.path)).toSorted(), ["flex-objects"]);
    });

    it("returns the same results in a dry run, and writes nothing", async () => {
      const { flex, changes } = open();
      const data = { name: "A" };
      const dry = await flex.apply([{ op: "create", type: "product", id: "a", data }], {
        dryRun: true,
      });
      assert.equal(await flex.get("product", "a"), null);
      assert.deepEqual(
        [changes, await readdir(join(folder.path, "flex-objects", "product"))],
        [[], []],
      );
      assert.deepEqual(await flex.apply([{ op: "create", type: "product", id: "a", data }]), dry);
    });

    it("loses none of fifty concurrent updates", async () => {
      const fields = Array.from({ length: 50 }, (_, index) => `f${index}`);
      const wide = `title: T\nfields:\n${fields.map((name) => `  ${name}: { type: number }`).join("\n")}\n`;
      await writeFile(join(folder.path, "flex-objects", "wide.yaml"), wide);
      const { flex } = open();
      await flex.apply([{ op: "create", type: "wide", id: "a", data: {} }]);
      await Promise.all(
        fields.map((name) =>
          flex.apply([{ op: "update", type: "wide", id: "a", data: { [name]: 1 } }]),
        ),
      );
      const stored = await flex.get("wide", "a");
      assert.ok(fields.every((name) => stored?.[name] === 1));
    });

    it("creates one record of many with the same id", async () => {
      const { flex } = open();
      const results = await Promise.all(
        Array.from({ length: 20 }, () => create(flex, { name: "A" }, "same")),
      );
      assert.equal(results.flat().filter(({ status }) => status === "created").length, 1);
    });

    it("reports a failed write and continues", async () => {
      const { flex, changes } = open();
      await rm(join(folder.path, "flex-objects", "product"), { recursive: true });
      await writeFile(join(folder.path, "flex-objects", "product"), "a file in the way");
      const [result] = await create(flex, { name: "A" });
      assert.deepEqual(
        [result?.status, result?.code, changes.length],
        ["error", "ERR_FLEX_WRITE", 0],
      );
      assert.deepEqual(await flex.list("product"), { records: [], total: 0 });
    });

    it("validates without a record", () => {
      const { flex } = open();
      assert.deepEqual(flex.validate("product", { name: "A" }), []);
      assert.equal(flex.validate("product", {})[0]?.message, "Name is required.");
      assert.equal(flex.validate("none", {})[0]?.code, "ERR_FLEX_TYPE");
    });
  });

  describe("migrating", () => {
    beforeEach(async () => {
      const newer = schema.replace("title: Products", "title: Products\nversion: 2");
      await writeFile(join(folder.path, "flex-objects", "product.yaml"), newer);
      await mkdir(join(folder.path, "migrations", "product"), { recursive: true });
      const step = (from: number, body: string) =>
        `export const from = ${from}; export const to = ${from + 1}; export const up = (record) => (${body});`;
      const write = (name: string, text: string) =>
        writeFile(join(folder.path, "migrations", "product", name), text);
      await write("001-name.mjs", step(0, "{ ...record, name: record.label, label: undefined }"));
      await write("002-price.mjs", step(1, "{ ...record, price: (record.price ?? 0) * 100 }"));
      await writeFile(record("old"), "_createdAt: 5\nlabel: A\nprice: 3\n");
      await writeFile(record("half"), "_schemaVersion: 1\n_createdAt: 4\nname: B\n");
      await writeFile(record("new"), "_schemaVersion: 2\n_createdAt: 3\nname: C\nprice: 7\n");
    });

    it("happens when a record is read, and is written back", async () => {
      const { flex } = open();
      const records = (await flex.list("product"))?.records ?? [];
      assert.deepEqual(
        records.map((one) => [one["name"], one["price"]]),
        [
          ["A", 300],
          ["B", 0],
          ["C", 7],
        ],
      );
      await flex.settled();
      const written = "_createdAt: 5\nprice: 300\nname: A\n_schemaVersion: 2\n";
      assert.equal(await readFile(record("old"), "utf8"), written);
      assert.equal((await flex.get("product", "old"))?.["price"], 300);
    });

    it("runs by command, reports the result, and does nothing the second time", async () => {
      const { flex } = open();
      const heard: string[] = [];
      const onRecord = (done: number, total: number) => void heard.push(`${done}/${total}`);
      const dry = await flex.migrate("product", { dryRun: true, onRecord });
      assert.deepEqual(dry, {
        type: "product",
        records: 3,
        migrated: 2,
        current: 1,
        failed: [],
        from: 0,
        to: 2,
      });
      assert.deepEqual(heard, ["1/3", "2/3", "3/3"]);
      assert.match(await readFile(record("old"), "utf8"), /label: A/);
      assert.deepEqual(await flex.migrate("product", { dryRun: false }), dry);
      const again = await flex.migrate("product", { dryRun: false });
      assert.deepEqual([again.migrated, again.current], [0, 3]);
    });

    it("leaves a record unchanged that cannot be migrated, and reports it", async () => {
      await writeFile(record("bad"), "_createdAt: 1\nprice: 1\n");
      const { flex } = open();
      const { failed } = await flex.migrate("product", { dryRun: false });
      assert.deepEqual(failed, [{ id: "bad", message: "Name is required." }]);
      assert.equal(await readFile(record("bad"), "utf8"), "_createdAt: 1\nprice: 1\n");
      assert.deepEqual(
        (await flex.problems()).map(({ sourcePath }) => sourcePath),
        ["flex-objects/product/bad.yaml"],
      );
    });

    it("runs before a change of a record that was never read", async () => {
      const { flex } = open();
      const update = { op: "update", type: "product", id: "old", data: { price: 5 } } as const;
      const [result] = await flex.apply([update]);
      assert.deepEqual([result?.status, result?.record?.["name"]], ["updated", "A"]);
      const written = parse(await readFile(record("old"), "utf8"));
      assert.deepEqual([written._schemaVersion, written.name, written.price], [2, "A", 5]);
    });

    it("rejects a change of a record that cannot be migrated, naming the step", async () => {
      const broken = "export const from = 0, to = 1; export const up = () => null;";
      await writeFile(join(folder.path, "migrations", "product", "001-name.mjs"), broken);
      const before = await readFile(record("old"), "utf8");
      const { flex } = open();
      const [result] = await flex.apply([
        { op: "update", type: "product", id: "old", data: { name: "Z" } },
      ]);
      assert.equal(result?.code, "ERR_FLEX_MIGRATION");
      assert.match(result?.errors[0]?.message ?? "", /001-name\.mjs/);
      assert.equal(await readFile(record("old"), "utf8"), before);
    });

    it("runs before a digest is returned, so that saving does not conflict", async () => {
      const { flex } = open();
      const read = await flex.source("product", "old");
      const change = { op: "update", type: "product", id: "old", data: { price: 5 } } as const;
      const [result] = await flex.apply([{ ...change, ifHash: read?.hash ?? "" }]);
      assert.deepEqual([result?.code, result?.record?.["price"]], [null, 5]);
    });

    it("does not mark a record as current when no step reaches the type's version", async () => {
      await rm(join(folder.path, "migrations", "product", "002-price.mjs"));
      const { flex } = open();
      const { failed, migrated, current } = await flex.migrate("product", { dryRun: false });
      assert.deepEqual([migrated, current], [0, 1]);
      const message =
        "no migration leads from version 1 to 2: add one, or name _schemaVersion: 2 in a record that needs none";
      assert.deepEqual(failed, [
        { id: "half", message },
        { id: "old", message },
      ]);
    });

    it("gives a new record the type's version", async () => {
      const { flex } = open();
      const [result] = await create(flex, { name: "A" }, "fresh");
      assert.equal(result?.status, "created");
      assert.equal(parse(await readFile(record("fresh"), "utf8"))._schemaVersion, 2);
    });
  });
});
