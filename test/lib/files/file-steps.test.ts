import assert from "node:assert/strict";
import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { cp, mkdir, rename, rm, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import {
  atEndOfStep,
  atomicWrite,
  boundToStep,
  FileSteps,
  isInStep,
  isTemporary,
  recordInStep,
} from "#lib/files";
import { useFolder } from "../../support/folder.js";
import { bundleProgram } from "../../support/processes/bundle-program.js";

const BEFORE = {
  "content/a.md": "old a",
  "content/a/x.md": "old x",
  "content/a/z.png": "z",
  "content/gone.md": "gone",
};
const AFTER = {
  "content/a.md": "again",
  "content/b/x.md": "new x",
  "content/b/z.png": "z",
  "content/moved/a.md": "old a",
  "content/new/deep/y.md": "new y",
};

async function put(root: string, files: Readonly<Record<string, string>>): Promise<void> {
  for (const [path, text] of Object.entries(files)) {
    await mkdir(dirname(join(root, path)), { recursive: true });
    await writeFile(join(root, path), text);
  }
}

/** Path to text of the files below `content/`, and its empty folders. */
function contentOf(root: string): Record<string, string> {
  const entries = readdirSync(join(root, "content"), { recursive: true, withFileTypes: true });
  const found = entries
    .filter((entry) => !isTemporary(entry.name))
    .flatMap((entry): [string, string][] => {
      const path = join(entry.parentPath, entry.name);
      const name = path.slice(root.length + 1);
      if (entry.isFile()) return [[name, readFileSync(path, "utf8")]];
      return readdirSync(path).length === 0 ? [[name, "empty folder"]] : [];
    });
  return Object.fromEntries(found.toSorted(([a], [b]) => (a < b ? -1 : 1)));
}

describe("a step of several changes", () => {
  const folder = useFolder();
  let program = "";
  before(async () => {
    program = await bundleProgram(
      join(import.meta.dirname, "../../support/processes/steps/killed-step.ts"),
    );
  });
  after(() => rm(dirname(program), { recursive: true, force: true }));

  const stepsOf = (root: string, origin = "root"): FileSteps =>
    new FileSteps({ folder: join(root, "steps"), root, top: join(root, "content"), origin });
  /** The folders of journals; git leaves them all out. */
  const journalsOf = (root: string): string[] =>
    readdirSync(join(root, "steps")).filter((name) => name !== ".gitignore");

  /** Runs the step in a process that is killed at its n-th call, or late; 0: it lives. Resolves with its output. */
  async function kill(root: string, n: number | "late"): Promise<string> {
    await put(root, BEFORE);
    const child = spawn(process.execPath, [program, root, String(n)], {
      stdio: ["ignore", "pipe", "inherit"],
    });
    let text = "";
    child.stdout.on("data", (chunk: Buffer) => (text += String(chunk)));
    await once(child, "close");
    assert.equal(child.signalCode, n === 0 ? null : "SIGKILL");
    return text;
  }

  it("is whole before or whole after, for a kill at each of its calls", async () => {
    const calls = Number(await kill(join(folder.path, "whole"), 0));
    assert.ok(calls > 40, `${calls} calls`);
    assert.deepEqual(contentOf(join(folder.path, "whole")), AFTER);
    assert.deepEqual(journalsOf(join(folder.path, "whole")), []);
    const outcomes = new Set<string>();
    for (let n = 1; n <= calls; n += 1) {
      const root = join(folder.path, String(n));
      await kill(root, n);
      const [step, ...others] = await stepsOf(root).recover();
      assert.deepEqual(others, []);
      const isAfter =
        step === undefined ? "content/b/x.md" in contentOf(root) : step.outcome === "finished";
      assert.deepEqual(
        contentOf(root),
        isAfter ? AFTER : BEFORE,
        `call ${n}: ${step?.outcome ?? "no step"}`,
      );
      assert.notEqual(step?.outcome, "blocked", `call ${n}`);
      outcomes.add(step?.outcome ?? "no step");
      assert.deepEqual(await stepsOf(root).recover(), [], `call ${n}: again`);
    }
    assert.deepEqual([...outcomes].toSorted(), ["finished", "no step", "undone"]);
  });

  it("overwrites nothing that was changed after the kill, and names it until its folder is deleted", async () => {
    const root = join(folder.path, "root");
    await kill(root, "late");
    await put(root, { "content/b/x.md": "of another author" });
    const left = contentOf(root);
    for (const _ of [1, 2]) {
      const [step] = await stepsOf(root).recover();
      assert.equal(step?.outcome, "blocked");
      assert.deepEqual(step.paths, ["content/b/x.md"]);
      assert.deepEqual(contentOf(root), left);
    }
    const [step] = await stepsOf(root).recover();
    await rm(step?.journal ?? "", { recursive: true });
    assert.deepEqual(await stepsOf(root).recover(), []);
  });

  it("is not touched while its process runs", async () => {
    const root = join(folder.path, "root");
    await put(root, { "content/a.md": "old" });
    const file = join(root, "content/a.md");
    await stepsOf(root).run("live", async () => {
      await recordInStep([{ op: "write", path: file, bytes: "new" }]);
      await atomicWrite(file, "new");
      assert.deepEqual(await stepsOf(root).recover(), []);
      const program = `process.stdout.write(require("fs").readFileSync(${JSON.stringify(file)}))`;
      assert.equal(String(spawnSync(process.execPath, ["-e", program]).stdout), "new");
    });
    assert.equal(readFileSync(file, "utf8"), "new");
    assert.deepEqual(journalsOf(root), []);
  });

  it("of removals alone is finished", async () => {
    const root = join(folder.path, "root");
    await put(root, { "content/a/x.md": "x", "content/a/y.md": "y" });
    const paths = ["content/a/x.md", "content/a/y.md"].map((path) => join(root, path));
    const copy = join(folder.path, "killed");
    await stepsOf(root).run("delete", async () => {
      await recordInStep(
        paths.map((path) => ({ op: "remove", path }) as const),
        { isWhole: true },
      );
      await rm(paths[0] ?? "");
      await cp(root, copy, { recursive: true });
      await rm(paths[1] ?? "");
    });
    // As of a process that has ended.
    const [name = ""] = journalsOf(copy);
    await rm(join(copy, "steps", name, "owner.lock"));
    const [step] = await stepsOf(copy).recover();
    assert.equal(step?.outcome, "finished");
    assert.deepEqual(readdirSync(join(copy, "content")), []);
  });

  it("of another root is undone, except for what that root has for itself", async () => {
    const root = join(folder.path, "root");
    await put(root, { "content/a.md": "old", "site.yaml": "own" });
    const copy = join(folder.path, "killed");
    await stepsOf(root).run("move", async () => {
      const page = join(root, "content/a.md");
      await recordInStep([{ op: "write", path: page, bytes: "new" }]);
      await recordInStep([{ op: "write", path: join(root, "site.yaml"), bytes: "own, changed" }]);
      await atomicWrite(page, "new");
      await cp(root, copy, { recursive: true });
    });
    const [name = ""] = journalsOf(copy);
    await rm(join(copy, "steps", name, "owner.lock"));
    await put(copy, { "site.yaml": "of the other root" });
    assert.equal((await stepsOf(copy).recover())[0]?.outcome, "blocked");
    const [step] = await stepsOf(copy, "other").recover();
    assert.equal(step?.outcome, "undone");
    assert.equal(readFileSync(join(copy, "content/a.md"), "utf8"), "old");
    assert.equal(readFileSync(join(copy, "site.yaml"), "utf8"), "of the other root");
    assert.deepEqual(journalsOf(copy), []);
  });

  it("fails when another process took its own for dead", async () => {
    const root = join(folder.path, "root");
    await put(root, { "content/a.md": "old" });
    const file = join(root, "content/a.md");
    const takeOver = async (): Promise<void> => {
      const [name = ""] = journalsOf(root);
      await rm(join(root, "steps", name, "owner.lock"));
      assert.equal((await stepsOf(root, "other").recover())[0]?.outcome, "undone");
    };
    const write = async (): Promise<void> => {
      await recordInStep([{ op: "write", path: file, bytes: "new" }]);
      await atomicWrite(file, "new");
    };
    const atItsEnd = stepsOf(root).run("live", async () => {
      await write();
      await takeOver();
    });
    await assert.rejects(atItsEnd, { code: "ESTALE" });
    const atItsNextChange = stepsOf(root).run("live", async () => {
      await write();
      await takeOver();
      await write();
    });
    await assert.rejects(atItsNextChange, { code: "ESTALE" });
    assert.equal(readFileSync(file, "utf8"), "old");
    assert.deepEqual(journalsOf(root), []);
  });

  it("joins the step of its caller, also in a queue, and not one that has ended", async () => {
    const steps = stepsOf(folder.path);
    let later: () => Promise<boolean> = async () => false;
    await steps.run("outer", async () => {
      const bound = boundToStep(async () => isInStep());
      await steps.run("inner", async () => undefined);
      assert.equal(isInStep(), true, "the inner step does not end the outer one");
      await new Promise<void>((resolve) => {
        later = async () => isInStep();
        resolve();
      });
      assert.equal(await bound(), true);
      later = bound;
    });
    assert.equal(isInStep(), false);
    assert.equal(await later(), false);
    assert.equal(existsSync(join(folder.path, "steps")), false, "nothing was recorded");
  });

  it("runs its last work once, with all values, and at once outside of a step", async () => {
    const seen: (readonly number[])[] = [];
    const work = async (values: readonly number[]): Promise<void> => void seen.push(values);
    await stepsOf(folder.path).run("step", async () => {
      await atEndOfStep(work, 1);
      await atEndOfStep(work, 2);
      assert.deepEqual(seen, []);
    });
    await atEndOfStep(work, 3);
    assert.deepEqual(seen, [[1, 2], [3]]);
  });

  it("is not undone by a journal that names a file outside of the root", async () => {
    for (const path of ["../x", "a/../../x", "/etc/x"]) {
      const entry = { path, isFresh: false, before: null, after: ["0"] };
      const journal = {
        format: 1,
        name: "x",
        recovery: "undo",
        isLast: false,
        moves: [],
        files: [entry],
        folders: [],
      };
      await put(folder.path, { "steps/one/journal.json": JSON.stringify(journal) });
      const [step] = await stepsOf(folder.path).recover();
      assert.equal(step?.outcome, "blocked");
    }
  });

  it("moves nothing onto a folder that came back meanwhile", async () => {
    const root = join(folder.path, "root");
    await kill(root, "late");
    await put(root, { "content/a/other.md": "of another author" });
    const left = contentOf(root);
    const [step] = await stepsOf(root).recover();
    assert.equal(step?.outcome, "blocked");
    assert.deepEqual(step.paths, ["content/a"]);
    assert.deepEqual(contentOf(root), left);
    await rename(join(root, "content/a/other.md"), join(root, "content/other.md"));
    await rm(join(root, "content/a"), { recursive: true });
    assert.equal((await stepsOf(root).recover())[0]?.outcome, "undone");
    assert.deepEqual(contentOf(root), { ...BEFORE, "content/other.md": "of another author" });
  });
});
