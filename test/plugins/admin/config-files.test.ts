import assert from "node:assert/strict";
import { mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { ConfigFiles, setConfigKeys } from "../../../plugins/admin/config-files.js";

describe("setConfigKeys", () => {
  const set = (text: string, key: string, value: unknown) =>
    setConfigKeys("site", text, [{ key, value }]);
  it("changes one value and leaves every comment where it was", () => {
    const text = "# top\na: 1 # one\n\n# about b\nb:\n  # inner\n  c: x # see\n";
    assert.equal(set(text, "b.c", "y"), text.replace("c: x", "c: y"));
    assert.equal(set(text, "b.c", null).startsWith("# top\na: 1 # one\n\n# about b\n"), true);
  });
  it("makes the maps above a key, and deletes what is not there without ado", () => {
    assert.equal(set("", "a.b.c", [1]), "a:\n  b:\n    c:\n      - 1\n");
    assert.equal(set("a: 1\n", "x.y", null), "a: 1\n");
    assert.equal(set("a:\n", "a.b", 1), "a:\n  b: 1\n");
  });
  it("keeps line ends of Windows", () => assert.equal(set("a: 1\r\n", "b", 2), "a: 1\r\nb: 2\r\n"));
  it("writes below `admin:` where admin.yaml is written like that", () => {
    assert.equal(
      setConfigKeys("admin", "admin:\n  path: /a\n", [{ key: "path", value: "/b" }]),
      "admin:\n  path: /b\n",
    );
  });
  for (const key of [
    "__proto__.x",
    "a.constructor",
    "",
    "a..b",
    "a b",
    "a[0]",
    Array(17).fill("a").join("."),
  ]) {
    it(`D8: refuses ${JSON.stringify(key.slice(0, 20))}`, () => {
      assert.throws(() => set("a: {}\n", key, 1), { code: "ERR_ADMIN_CONFIG_KEY", status: 400 });
    });
  }
  for (const text of ["a: [", "- 1\n", "a: &a [*a]\n"]) {
    it(`refuses a file that holds ${JSON.stringify(text)}`, () =>
      assert.throws(() => set(text, "b", 1), { status: 400 }));
  }
});

describe("ConfigFiles", () => {
  let root: string;
  let problems: object[] = [];
  let files: ConfigFiles;
  beforeEach(async () => {
    problems = [];
    root = await mkdtemp(join(tmpdir(), "site-config-"));
    const paths = { root, content: "", data: "", runtime: "", cache: "" };
    files = new ConfigFiles({ paths, checkConfig: async () => problems as never });
  });
  afterEach(() => rm(root, { recursive: true }));

  it("finds a file in the root or in config/, and makes a new one beside the others", async () => {
    assert.equal((await files.read("site")).path, "site.yaml");
    await mkdir(join(root, "config"));
    await writeFile(join(root, "config/system.yaml"), "debug: true\n");
    assert.equal((await files.read("system")).path, "config/system.yaml");
    assert.deepEqual(await files.read("site").then(({ path, exists }) => [path, exists]), [
      "config/site.yaml",
      false,
    ]);
  });

  it("writes nothing that would not be valid", async () => {
    await writeFile(join(root, "site.yaml"), "a: 1\n");
    problems = [{ file: "site.yaml", key: "a", expected: "a text", fix: "quote it" }];
    await assert.rejects(
      files.edit("site", () => "a: 2\n"),
      { code: "ERR_ADMIN_CONFIG", message: "site.yaml: a: expected a text; quote it" },
    );
    assert.equal(await readFile(join(root, "site.yaml"), "utf8"), "a: 1\n");
  });

  it("does edits of one file one after the other", async () => {
    const keys = Array.from({ length: 20 }, (_, n) => `k${n}`);
    await Promise.all(
      keys.map((key) =>
        files.edit("site", ({ text }) => setConfigKeys("site", text, [{ key, value: 1 }])),
      ),
    );
    const text = await readFile(join(root, "site.yaml"), "utf8");
    assert.deepEqual(
      keys.filter((key) => !text.includes(`${key}: 1`)),
      [],
    );
  });
});
