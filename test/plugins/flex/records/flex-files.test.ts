import assert from "node:assert/strict";
import { mkdir, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import {
  FlexFiles,
  readFlexName,
  isFlexName,
} from "../../../../plugins/flex/records/flex-files.js";
import { useFolder } from "../../../support/folder.js";

describe("FlexFiles", () => {
  const folder = useFolder();
  async function names(type: string): Promise<string[]> {
    const found: string[] = [];
    for await (const { name } of new FlexFiles(folder.path).records(type)) found.push(name);
    return found;
  }

  it("lists schemas and records by name, nothing else", async () => {
    await mkdir(join(folder.path, "product"));
    for (const file of ["b.yaml", "a.yaml", "c.yml", "d e.yaml"]) {
      await writeFile(join(folder.path, file), "x");
      await writeFile(join(folder.path, "product", file), "x");
    }
    const files = new FlexFiles(folder.path);
    assert.deepEqual(
      files.schemas().map(({ name }) => name),
      ["a", "b"],
    );
    assert.deepEqual(await names("product"), ["a", "b"]);
    assert.equal(files.record("product", "a")?.text, "x");
    assert.equal(files.record("product", "z"), null);
  });

  it("is empty without a folder, and outside of it", async () => {
    assert.deepEqual(new FlexFiles(join(folder.path, "none")).schemas(), []);
    for (const type of ["none", "..", "../x", ""]) assert.deepEqual(await names(type), []);
  });

  it("does not read a file of more than a megabyte", async () => {
    await mkdir(join(folder.path, "product"));
    await writeFile(join(folder.path, "product", "big.yaml"), "x".repeat(1_000_001));
    const file = new FlexFiles(folder.path).record("product", "big");
    assert.deepEqual([file?.text, file?.problem], ["", "larger than 1000000 bytes"]);
  });

  it("skips a file deleted while the others are read", async () => {
    await mkdir(join(folder.path, "product"));
    for (const id of ["a", "b"]) await writeFile(join(folder.path, "product", `${id}.yaml`), "x");
    const found: string[] = [];
    for await (const { name } of new FlexFiles(folder.path).records("product")) {
      found.push(name);
      await rm(join(folder.path, "product", "b.yaml"), { force: true });
    }
    assert.deepEqual(found, ["a"]);
  });

  it("reports an unreadable file without a path of this machine", async function () {
    if (process.getuid?.() === 0) this.skip();
    await writeFile(join(folder.path, "a.yaml"), "x", { mode: 0o000 });
    const [file] = new FlexFiles(folder.path).schemas();
    assert.equal(file?.problem, "cannot be read (EACCES)");
  });

  it("yields to other work between slices", async () => {
    await mkdir(join(folder.path, "product"));
    for (let index = 0; index < 350; index += 1) {
      await writeFile(join(folder.path, "product", `r${index}.yaml`), "x");
    }
    const turns: { taken: number; next?: NodeJS.Immediate } = { taken: 0 };
    const count = (): void => {
      turns.taken += 1;
      turns.next = setImmediate(count);
    };
    turns.next = setImmediate(count);
    assert.equal((await names("product")).length, 350);
    clearImmediate(turns.next);
    assert.ok(turns.taken >= 3, `${turns.taken} turns for three slices`);
  });
});

describe("isFlexName", () => {
  it("takes letters, digits, dashes and underscores", () => {
    for (const name of ["a", "Product_2-b", "0123456789ab", "x".repeat(64)])
      assert.ok(isFlexName(name));
  });

  const hostile = ["", "x".repeat(65), "a/b", "..", "a.b", "a b", "ä", "a\0", "a\n", "%2e", "a\\b"];
  for (const name of hostile) {
    it(`rejects ${JSON.stringify(name)}`, () => assert.ok(!isFlexName(name)));
  }
});

describe("readFlexName", () => {
  it("takes the stem of a YAML file", () => {
    assert.equal(readFlexName("product.yaml"), "product");
    for (const file of ["product.yml", ".tmp-1.yaml", "a.b.yaml", ".yaml", "product"]) {
      assert.equal(readFlexName(file), null);
    }
  });
});
