import assert from "node:assert/strict";
import { execFileSync, spawn, spawnSync, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { readdirSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { atomicWrite } from "#kernel";
import { sweepTemporaries } from "#lib/files";
import { bootSite } from "../../support/sites/boot-site.js";
import { useFolder } from "../../support/folder.js";

const PROGRAM = join(import.meta.dirname, "../../support/processes/history-process.mjs");
const ROUNDS = 5;

interface Acknowledged {
  readonly kind: "save" | "move";
  readonly path: string;
  readonly text: string;
}

describe("history and commits of a killed site", function () {
  this.timeout(300_000);
  const folder = useFolder();
  const children: ChildProcess[] = [];
  afterEach(() => children.splice(0).forEach(killGroup));
  const git = (...args: string[]): string =>
    execFileSync("git", args, { cwd: folder.path, encoding: "utf8" }).trim();

  /** Lets a site save until it has acknowledged so many, then kills it together with git. */
  async function saveAndDie(round: number, count: number): Promise<Acknowledged[]> {
    const child = spawn(process.execPath, [PROGRAM, folder.path, String(round)], {
      detached: true,
      stdio: ["ignore", "pipe", "inherit"],
    });
    children.push(child);
    let said = "";
    child.stdout.on("data", (chunk: Buffer) => (said += String(chunk)));
    const lines = (): string[] => said.split("\n").slice(0, -1);
    while (lines().length < count) await once(child.stdout, "data");
    killGroup(child);
    await once(child, "close");
    return lines().map((line) => {
      const [kind, path = "", text = ""] = line.split(" ");
      return { kind: kind === "move" ? "move" : "save", path, text };
    });
  }

  it("records every acknowledged version and commit once, at the next start, and stages nothing", async () => {
    git("init", "-q");
    await atomicWrite(join(folder.path, "site.yaml"), "title: Test\n");
    await atomicWrite(join(folder.path, ".gitignore"), ".dune/\n");
    git("add", ".");
    git("-c", "user.name=a", "-c", "user.email=a@b", "commit", "-q", "-m", "start");
    const all: Acknowledged[] = [];
    for (let round = 0; round < ROUNDS; round += 1) {
      all.push(...(await saveAndDie(round, 4 + round * 3)));
      assert.equal(reversed(), "", "the index shows the reverse of the work tree");
    }
    const site = await bootSite({
      root: folder.path,
      plugins: ["content", "history"],
      settings: { admin: { git_commit: true } },
    });
    try {
      const history = site.site.use("history");
      await history.settled();
      assert.equal(history.git().lastError, null);
      const subjects = git("log", "--format=%s").split("\n");
      for (const { kind, path, text } of all) {
        const subject = `${kind} ${text}`;
        assert.equal(subjects.filter((one) => one === subject).length, 1, subject);
        const versions = await history.list(path);
        const messages = versions.map(({ message }) => message);
        const saved = kind === "move" ? `save fresh-${text}` : subject;
        // Versions beyond `maxRevisions` are dropped.
        if (messages.length < 50) {
          assert.equal(messages.filter((one) => one === saved).length, 1, `${path}: ${saved}`);
        }
      }
      assert.equal(git("diff", "--cached", "--name-only"), "");
      assert.deepEqual(await uncommitted(all), []);
    } finally {
      await site.close();
    }
    await sweepTemporaries(folder.path, { before: Date.now(), waitMs: 0 });
    const left = readdirSync(join(folder.path, ".dune/admin"), { recursive: true }).map(String);
    assert.deepEqual(
      left.filter((name) => name.includes(".tmp-") || /history-pending.*\.json/.test(name)),
      [],
    );
    assert.equal(await readFile(join(folder.path, "site.yaml"), "utf8"), "title: Test\n");
  });

  /**
   * Pages that git sees as changed although their text was acknowledged. One that was written right
   * before a kill, and not acknowledged, may differ.
   */
  async function uncommitted(all: readonly Acknowledged[]): Promise<string[]> {
    const names = git("diff", "--name-only", "-z", "HEAD", "--", "content").split("\0");
    const texts = new Set(all.map(({ text }) => text));
    const found: string[] = [];
    for (const name of names.filter(Boolean)) {
      const page = await readFile(join(folder.path, name), "utf8").catch(() => "");
      if (texts.has(page.trim().split("\n").at(-1) ?? "")) found.push(name);
    }
    return found;
  }

  /** Files that the index has as in an older commit, and not as in the last one. */
  function reversed(): string {
    const show = (spec: string): string | null => {
      const { status, stdout } = spawnSync("git", ["show", spec], { cwd: folder.path });
      return status === 0 ? String(stdout) : null;
    };
    const staged = git("diff", "--cached", "--name-only").split("\n").filter(Boolean);
    const isOld = (name: string): boolean => {
      const index = show(`:${name}`);
      const commits = git("log", "--format=%H", "--", name).split("\n").filter(Boolean);
      return commits.some((commit) => show(`${commit}:${name}`) === index);
    };
    return staged.filter(isOld).join();
  }
});

function killGroup(child: ChildProcess): void {
  if (child.pid === undefined || child.exitCode !== null || child.signalCode !== null) return;
  process.kill(-child.pid, "SIGKILL");
}
