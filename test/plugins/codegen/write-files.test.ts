import assert from "node:assert/strict";
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { outdatedFiles, writeDerived, writeStub } from "../../../plugins/codegen/write-files.js";
import { useFolder } from "../../support/folder.js";

const gentle = { force: false };
const force = { force: true };
const exists = { code: "ERR_CODEGEN_EXISTS" };

describe("files that codegen writes", () => {
  const folder = useFolder();
  const read = (path: string): string => readFileSync(join(folder.path, path), "utf8");
  const put = (path: string, text: string): void => writeFileSync(join(folder.path, path), text);
  const derived = (text: string) => new Map([["a/types.ts", `// made\n${text}`]]);

  it("derived: are outdated while missing or different, and written once", async () => {
    assert.deepEqual(await outdatedFiles(folder.path, derived("1")), ["a/types.ts"]);
    assert.deepEqual(await writeDerived(folder.path, derived("1"), gentle), ["a/types.ts"]);
    assert.deepEqual(await writeDerived(folder.path, derived("1"), gentle), []);
    assert.deepEqual(await outdatedFiles(folder.path, derived("1")), []);
    assert.deepEqual(await writeDerived(folder.path, derived("2"), gentle), ["a/types.ts"]);
    assert.equal(read("a/types.ts"), "// made\n2");
  });

  it("derived: do not overwrite a file of the user, and then none is written", async () => {
    put("mine.ts", "my own\n");
    const files = new Map([
      ["new.ts", "// made\n"],
      ["mine.ts", "// made\n"],
    ]);
    await assert.rejects(writeDerived(folder.path, files, gentle), exists);
    assert.deepEqual(readdirSync(folder.path), ["mine.ts"]);
    await writeDerived(folder.path, files, force);
    assert.equal(read("mine.ts"), "// made\n");
  });

  it("begun: are all written or none, and overwrite nothing", async () => {
    const files = new Map([
      ["p/index.ts", "1"],
      ["p/README.md", "2"],
    ]);
    mkdirSync(join(folder.path, "p"));
    put("p/README.md", "my own");
    await assert.rejects(writeStub(folder.path, files, gentle), {
      ...exists,
      message: /p\/README/,
    });
    assert.deepEqual(readdirSync(join(folder.path, "p")), ["README.md"]);
    assert.deepEqual(await writeStub(folder.path, files, force), ["p/index.ts", "p/README.md"]);
    assert.equal(read("p/README.md"), "2");
  });

  it("throw errors of the file system other than a missing file", async () => {
    mkdirSync(join(folder.path, "a", "types.ts"), { recursive: true });
    await assert.rejects(outdatedFiles(folder.path, derived("1")), { code: "EISDIR" });
  });
});
