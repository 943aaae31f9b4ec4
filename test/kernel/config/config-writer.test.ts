import assert from "node:assert/strict";
import { chmod, mkdir, mkdtemp, readFile, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { ConfigFileWriter, setConfigKeys } from "#kernel";

describe("ConfigFileWriter", () => {
  let root: string;
  let problems: object[] = [];
  let files: ConfigFileWriter;
  beforeEach(async () => {
    problems = [];
    root = await mkdtemp(join(tmpdir(), "site-config-"));
    files = new ConfigFileWriter(root, async () => problems as never);
  });
  afterEach(() => rm(root, { recursive: true }));

  it("finds a file in the root or in config/, and creates a new one beside the others", async () => {
    assert.equal((await files.read("site")).path, "site.yaml");
    await mkdir(join(root, "config"));
    await writeFile(join(root, "config/system.yaml"), "debug: true\n");
    assert.equal((await files.read("system")).path, "config/system.yaml");
    assert.deepEqual(await files.read("site").then(({ path, exists }) => [path, exists]), [
      "config/site.yaml",
      false,
    ]);
  });

  it("writes nothing that would be invalid", async () => {
    await writeFile(join(root, "site.yaml"), "a: 1\n");
    problems = [{ file: "site.yaml", key: "a", expected: "a text", fix: "quote it" }];
    await assert.rejects(
      files.edit("site", () => "a: 2\n"),
      { code: "ERR_CONFIG_REFUSED", message: "site.yaml: a: expected a text; quote it" },
    );
    assert.equal(await readFile(join(root, "site.yaml"), "utf8"), "a: 1\n");
  });

  it("runs edits of one file one after the other", async () => {
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

  it("loses no edit when two processes write at once", async () => {
    const other = new ConfigFileWriter(root);
    const keys = Array.from({ length: 10 }, (_, n) => `k${n}`);
    await Promise.all(
      keys.map((key, at) =>
        (at % 2 === 0 ? files : other).edit("site", ({ text }) =>
          setConfigKeys("site", text, [{ key, value: 1 }]),
        ),
      ),
    );
    const text = await readFile(join(root, "site.yaml"), "utf8");
    assert.deepEqual(
      keys.filter((key) => !text.includes(`${key}: 1`)),
      [],
    );
  });

  it("reports the expected version when the file has changed", async () => {
    const { hash } = await files.read("site");
    await files.edit("site", () => "a: 1\n");
    await assert.rejects(
      files.edit("site", () => "a: 2\n", { ifHash: hash }),
      { code: "ERR_CONFIG_CHANGED", status: 409 },
    );
  });

  it("keeps a file private that only its owner may read", async () => {
    await writeFile(join(root, "admin.yaml"), "a: 1\n");
    await chmod(join(root, "admin.yaml"), 0o600);
    await files.edit("admin", () => "a: 2\n");
    assert.equal((await stat(join(root, "admin.yaml"))).mode & 0o777, 0o600);
  });
});
