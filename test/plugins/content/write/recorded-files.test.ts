import assert from "node:assert/strict";
import { type ChangeFiles, RecordedFiles } from "../../../../plugins/content/write/change-files.js";

/** Files in memory; a path below `locked/` cannot be changed. */
class MemoryFiles implements ChangeFiles {
  readonly files = new Map<string, Buffer>();

  async kind(path: string): Promise<"file" | "none"> {
    return this.files.has(path) ? "file" : "none";
  }
  async twin(): Promise<null> {
    return null;
  }
  async read(path: string): Promise<Buffer | null> {
    return this.files.get(path) ?? null;
  }
  async write(path: string, bytes: Buffer): Promise<void> {
    if (path.startsWith("locked/")) throw new Error("locked");
    this.files.set(path, bytes);
  }
  async remove(path: string): Promise<void> {
    if (!this.files.delete(path)) throw new Error("gone");
  }
  async move(path: string, to: string): Promise<void> {
    const bytes = await this.read(path);
    await this.remove(path);
    if (bytes !== null) this.files.set(to, bytes);
  }
  async list(folder: string): Promise<string[]> {
    return [...this.files.keys()].filter((path) => path.startsWith(`${folder}/`));
  }
}

describe("RecordedFiles", () => {
  const [one, two] = [Buffer.from("1"), Buffer.from("2")];

  it("applies every change and records it with the previous state", async () => {
    const disk = new MemoryFiles();
    const recorded = new RecordedFiles(disk);
    await recorded.write("a.md", one);
    await recorded.write("a.md", two);
    await recorded.move("a.md", "b.md");
    assert.equal(await recorded.kind("b.md"), "file");
    assert.deepEqual(await recorded.read("b.md"), two);
    await recorded.remove("b.md");
    assert.deepEqual([...disk.files], []);
    const shown = recorded.changes.map(({ op, key, to, before, after }) => [
      op,
      key,
      to ?? "",
      before?.bytes?.toString() ?? null,
      after?.bytes?.toString() ?? null,
    ]);
    assert.deepEqual(shown, [
      ["create", "a.md", "", null, "1"],
      ["update", "a.md", "", "1", "2"],
      ["move", "a.md", "b.md", null, null],
      ["delete", "b.md", "", "2", null],
    ]);
  });

  it("drops the bytes once they are released", async () => {
    const recorded = new RecordedFiles(new MemoryFiles());
    await recorded.write("a.md", one);
    recorded.release();
    assert.deepEqual([recorded.changes[0]?.after?.bytes, one.length], [null, 1]);
  });

  it("does not record failed changes", async () => {
    const recorded = new RecordedFiles(new MemoryFiles());
    await assert.rejects(recorded.write("locked/a.md", one));
    await assert.rejects(recorded.remove("gone.md"));
    await assert.rejects(recorded.move("gone.md", "b.md"));
    assert.deepEqual(recorded.changes, []);
  });
});
