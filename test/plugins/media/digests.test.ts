import assert from "node:assert/strict";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { Digests } from "../../../plugins/media/digests.js";
import { openInside } from "../../../plugins/media/open-file.js";
import { useFolder } from "../../support/folder.js";

describe("Digests", () => {
  const folder = useFolder();
  async function digest(digests: Digests, name: string): Promise<string> {
    const opened = await openInside(folder.path, join(folder.path, name));
    assert.ok(opened);
    const result = await digests.of(opened);
    assert.ok((await opened.handle.readFile()).length > 0, "the file is still open");
    await opened.handle.close();
    return result;
  }

  it("tells bytes apart, and nothing else", async () => {
    const digests = new Digests();
    await writeFile(join(folder.path, "a"), "one");
    await writeFile(join(folder.path, "b"), "one");
    await writeFile(join(folder.path, "c"), "two");
    const [a, b, c] = await Promise.all(["a", "b", "c"].map((name) => digest(digests, name)));
    assert.match(a ?? "", /^[0-9a-f]{32}$/);
    assert.equal(a, b);
    assert.notEqual(a, c);
  });

  it("I17: reads a changed file again and tells which digest is gone", async () => {
    const gone: string[] = [];
    const digests = new Digests((old) => gone.push(old));
    await writeFile(join(folder.path, "a"), "one");
    const before = await digest(digests, "a");
    assert.equal(await digest(digests, "a"), before);
    await writeFile(join(folder.path, "a"), "two");
    assert.notEqual(await digest(digests, "a"), before);
    assert.deepEqual(gone, [before]);
  });
});
