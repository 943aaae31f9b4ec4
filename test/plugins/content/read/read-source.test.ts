import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { mkdir, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { isMissing } from "#lib/errors";
import { errorCode, SourceReader } from "../../../../plugins/content/read/read-source.js";
import { MAX_PAGE_BYTES } from "../../../../plugins/content/read/source-record.js";
import { useFolder } from "../../../support/folder.js";

describe("SourceReader", () => {
  const folder = useFolder();
  const read = (name: string) => new SourceReader().read(name, join(folder.path, name));

  it("creates the record of a file", async () => {
    await writeFile(join(folder.path, "a.md"), "---\ntitle: T\n---\nbody");
    const record = read("a.md");
    assert.equal(record?.sourcePath, "a.md");
    assert.deepEqual(record.frontmatter, { title: "T" });
    assert.equal(record.size, 21);
    assert.equal(record.error, null);
  });

  it("does not mix the bytes of consecutive files", async () => {
    const reader = new SourceReader();
    const bodies = ["x".repeat(200_000), "short", ""];
    for (const [at, body] of bodies.entries()) {
      await writeFile(join(folder.path, `${at}.md`), `---\nlength: ${body.length}\n---\n${body}`);
    }
    for (const [at, body] of bodies.entries()) {
      const record = reader.read(`${at}.md`, join(folder.path, `${at}.md`));
      assert.deepEqual(record?.frontmatter, { length: body.length });
    }
  });

  it("is null for a folder, and recognises a missing file", async () => {
    await mkdir(join(folder.path, "dir.md"));
    await writeFile(join(folder.path, "a.md"), "");
    assert.equal(read("dir.md"), null);
    for (const name of ["gone.md", "a.md/b.md"]) assert.throws(() => read(name), isMissing, name);
  });

  it("does not wait for a pipe", () => {
    execFileSync("mkfifo", [join(folder.path, "pipe.md")]);
    assert.equal(read("pipe.md"), null);
  });

  it("fails at a link instead of following it", async () => {
    await writeFile(join(folder.path, "secret"), "secret");
    await symlink(join(folder.path, "secret"), join(folder.path, "link.md"));
    assert.throws(
      () => read("link.md"),
      (error) => !isMissing(error),
    );
  });

  it("reports a file that is too large instead of reading it", async () => {
    await writeFile(join(folder.path, "large.md"), Buffer.alloc(MAX_PAGE_BYTES + 1));
    const record = read("large.md");
    assert.notEqual(record?.error ?? null, null);
    assert.equal(record?.size, MAX_PAGE_BYTES + 1);
  });
});

describe("errorCode", () => {
  it("is the code of a system error, else ERROR", () => {
    assert.equal(errorCode(Object.assign(new Error("x"), { code: "ENOENT" })), "ENOENT");
    assert.equal(errorCode(Object.assign(new Error("x"), { code: 5 })), "ERROR");
    for (const error of [new Error("x"), "ENOENT", null, { code: "ENOENT" }]) {
      assert.equal(errorCode(error), "ERROR");
    }
  });
});
