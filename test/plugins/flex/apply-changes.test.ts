import assert from "node:assert/strict";
import { mkdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { ApplyChanges } from "../../../plugins/flex/apply-changes.js";
import { FlexFiles, type FlexFile } from "../../../plugins/flex/records/flex-files.js";
import { FailingReads } from "../../support/hostile/failing-reads.js";
import { useFolder } from "../../support/folder.js";
import { flexField, flexType } from "../../support/content/flex-type.js";

/** Files that another program changes after they were read for the first time. */
class ChangingFiles extends FlexFiles {
  reads = 0;

  override record(type: string, id: string): FlexFile | null {
    const file = super.record(type, id);
    this.reads += 1;
    return this.reads === 1 || file === null ? file : { ...file, text: "n: 1\nother: 1\n" };
  }
}

describe("ApplyChanges", () => {
  const folder = useFolder();
  const type = flexType([flexField("n", "number")]);
  beforeEach(() => mkdir(join(folder.path, "product")));

  function open(files = new FlexFiles(folder.path)) {
    const written: string[] = [];
    const changes = new ApplyChanges({
      files,
      clock: { now: () => 7 },
      timezone: "UTC",
      type: (name) => (name === "product" ? type : undefined),
      migrated: (_type, source) => Promise.resolve(source),
      stored: () => Promise.resolve(null),
      written: async ({ op, id }) => void written.push(`${op} ${id}`),
    });
    return { changes, written };
  }
  const file = () => readFile(join(folder.path, "product", "a.yaml"), "utf8");

  it("applies changes of one record in order", async () => {
    const { changes, written } = open();
    const place = { type: "product", id: "a" } as const;
    const results = await changes.apply([
      { op: "create", ...place, data: { n: 1 } },
      { op: "delete", ...place },
      { op: "create", ...place, data: { n: 2 } },
      { op: "update", ...place, data: { n: 3 } },
    ]);
    assert.deepEqual(
      results.map(({ status }) => status),
      ["created", "deleted", "created", "updated"],
    );
    assert.deepEqual(written, ["create a", "delete a", "create a", "update a"]);
    assert.match(await file(), /^n: 3$/m);
  });

  it("does not change a file that is too large", async () => {
    const { changes, written } = open();
    const large = `n: 1\nnotes: ${"x".repeat(1_000_001)}\n`;
    await writeFile(join(folder.path, "product", "a.yaml"), large);
    const change = { op: "update", type: "product", id: "a", data: { n: 2 } } as const;
    const [result] = await changes.apply([change]);
    assert.equal(result?.code, "ERR_FLEX_YAML");
    assert.match(result?.errors[0]?.message ?? "", /larger than/);
    assert.equal(await file(), large);
    assert.deepEqual(written, []);
  });

  it("does not change an unreadable file", async () => {
    const { changes, written } = open();
    const path = join(folder.path, "product", "a.yaml");
    await writeFile(path, "n: 1\n");
    const reads = new FailingReads();
    reads.install();
    reads.start("EACCES", (hit) => hit === path);
    try {
      const change = { op: "update", type: "product", id: "a", data: { n: 2 } } as const;
      const [result] = await changes.apply([change]);
      assert.equal(result?.code, "ERR_FLEX_WRITE");
      assert.match(result?.errors[0]?.message ?? "", /cannot be read/);
    } finally {
      reads.uninstall();
    }
    assert.equal(await file(), "n: 1\n");
    assert.deepEqual(written, []);
  });

  it("decides on the text that it read first", async () => {
    const files = new ChangingFiles(folder.path);
    const { changes } = open(files);
    await writeFile(join(folder.path, "product", "a.yaml"), "n: 1\n");
    const change = { op: "update", type: "product", id: "a", data: { n: 2 } } as const;
    const [result] = await changes.apply([change]);
    assert.equal(result?.record?.["other"], undefined);
    // Once for the decision, and once before the write.
    assert.deepEqual([result?.code, files.reads], ["ERR_FLEX_CONFLICT", 2]);
  });

  it("never sets a prototype", async () => {
    const { changes } = open();
    const data = JSON.parse(
      '{"n":1,"__proto__":{"polluted":1},"constructor":{"prototype":{"polluted":1}}}',
    );
    await changes.apply([{ op: "create", type: "product", id: "a", data }]);
    assert.equal(Reflect.get({}, "polluted"), undefined);
    assert.ok(!(await file()).includes("polluted"));
  });

  it("rewrites a record between two changes of it", async () => {
    const { changes } = open();
    await changes.apply([{ op: "create", type: "product", id: "a", data: { n: 1 } }]);
    const update = changes.apply([{ op: "update", type: "product", id: "a", data: { n: 2 } }]);
    const rewrite = changes.rewrite("product", "a", async (text) => `${text}# seen\n`);
    await Promise.all([update, rewrite]);
    assert.match(await file(), /^n: 2\n# seen$/m);
    await changes.rewrite("product", "a", async () => null);
    assert.match(await file(), /# seen/);
    await changes.rewrite("product", "none", () => assert.fail("there is no such record"));
  });
});
