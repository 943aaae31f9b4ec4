import assert from "node:assert/strict";
import { mkdir, mkdtemp, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import fc from "fast-check";
import {
  DiskFiles,
  DryFiles,
  type ChangeFiles,
} from "../../../../plugins/content/write/change-files.js";
import { useFolder } from "../../../support/folder.js";

describe("files that changes are made to", () => {
  const folder = useFolder();
  const disk = (): DiskFiles => new DiskFiles(folder.path);

  beforeEach(async () => {
    await mkdir(join(folder.path, "a/b"), { recursive: true });
    await writeFile(join(folder.path, "a/b/post.md"), "post");
    await writeFile(join(folder.path, "a/b/x.png"), "x");
    await writeFile(join(folder.path, "top.md"), "top");
  });

  it("are distinguished from folders and missing paths", async () => {
    for (const files of [disk(), new DryFiles(disk())]) {
      assert.equal(await files.kind("top.md"), "file");
      assert.equal(await files.kind("a/b"), "folder");
      assert.equal(await files.kind("a/gone.md"), "none");
      assert.equal(await files.kind("top.md/below"), "none");
      assert.equal(await files.read("gone.md"), null);
      assert.deepEqual(await files.read("top.md"), Buffer.from("top"));
    }
  });

  it("leave no empty folders behind", async () => {
    await disk().remove("a/b/post.md");
    assert.equal(await disk().kind("a/b"), "folder");
    await disk().move("a/b/x.png", "c/d/y.png");
    assert.equal(await disk().kind("a"), "none");
    assert.deepEqual(await disk().list("c"), ["c/d/y.png"]);
    await disk().remove("c/d/y.png");
    await disk().remove("top.md");
    assert.equal(await disk().kind(""), "folder");
  });

  it("stay as they are in a dry run", async () => {
    const dry = new DryFiles(disk());
    await dry.write("top.md", Buffer.from("new"));
    await dry.remove("a/b/post.md");
    await dry.move("a/b/x.png", "c/x.png");
    assert.equal(await readFile(join(folder.path, "top.md"), "utf8"), "top");
    assert.deepEqual((await disk().list("a")).sort(), ["a/b/post.md", "a/b/x.png"]);
    assert.equal(await disk().kind("c"), "none");
  });

  it("have the same state after a dry run as after a real one", async () => {
    const paths = ["a/b/post.md", "a/b/x.png", "top.md", "a/b", "a", "c/d/new.md", "c/d", "e"];
    const path = fc.constantFrom(...paths);
    const step = fc.record({ op: fc.constantFrom("write", "remove", "move"), path, to: path });
    const steps = fc.array(step, { maxLength: 6 });
    await fc.assert(
      fc.asyncProperty(steps, async (list) => {
        const root = await mkdtemp(join(folder.path, "run-"));
        await mkdir(join(root, "a/b"), { recursive: true });
        for (const file of ["a/b/post.md", "a/b/x.png", "top.md"]) {
          await writeFile(join(root, file), file);
        }
        const real = new DiskFiles(root);
        const made: typeof list = [];
        for (const one of list) {
          if (!(await isPossible(real, one))) continue;
          made.push(one);
          await change(real, one);
        }
        const after = await stateOf(real, paths);
        const dry = new DryFiles(await freshDisk(root));
        for (const one of made) await change(dry, one);
        assert.deepEqual(await stateOf(dry, paths), after, JSON.stringify(made));
      }),
      {
        numRuns: 60,
        examples: [
          [
            [
              { op: "move", path: "a", to: "c/d/new.md" },
              { op: "move", path: "c/d/new.md", to: "a/b/post.md" },
            ],
          ],
        ],
      },
    );
  });
});

interface Step {
  op: string;
  path: string;
  to: string;
}

/** What the write path lets through: files are written and removed, targets of moves are free. */
async function isPossible(files: ChangeFiles, { op, path, to }: Step): Promise<boolean> {
  const kind = await files.kind(path);
  if (op === "remove") return kind === "file";
  if (op === "write")
    return kind !== "folder" && path.endsWith(".md") && !(await isBelowFile(files, path));
  const isInside = to === path || to.startsWith(`${path}/`) || path.startsWith(`${to}/`);
  return (
    kind !== "none" &&
    !isInside &&
    (await files.kind(to)) === "none" &&
    !(await isBelowFile(files, to))
  );
}

async function isBelowFile(files: ChangeFiles, path: string): Promise<boolean> {
  const parts = path.split("/");
  for (let at = 1; at < parts.length; at += 1) {
    if ((await files.kind(parts.slice(0, at).join("/"))) === "file") return true;
  }
  return false;
}

async function change(files: ChangeFiles, { op, path, to }: Step): Promise<void> {
  if (op === "write") await files.write(path, Buffer.from("written"));
  else if (op === "remove") await files.remove(path);
  else await files.move(path, to);
}

async function stateOf(files: ChangeFiles, paths: readonly string[]): Promise<unknown[]> {
  const states: unknown[] = [];
  for (const path of paths) {
    const kind = await files.kind(path);
    states.push([path, kind, kind === "file" ? String(await files.read(path)) : null]);
  }
  return states;
}

/** The tree of the start again, in a folder of its own. */
async function freshDisk(root: string): Promise<DiskFiles> {
  const fresh = `${root}-fresh`;
  await mkdir(join(fresh, "a/b"), { recursive: true });
  for (const file of ["a/b/post.md", "a/b/x.png", "top.md"])
    await writeFile(join(fresh, file), file);
  return new DiskFiles(fresh);
}
