// A bare repository as the remote of a site, and a clone of it in which another person works.
import { execFileSync } from "node:child_process";
import { cpSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { mkdir, mkdtemp, rename, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { processFolder } from "../processes/process-folder.js";
import { bootSite, type BootOptions, type TestSite } from "../sites/boot-site.js";

const PLUGINS = ["admin", "content", "flex", "git-sync", "health", "history", "markdown"];
const MORE = ["media", "outbound", "pages", "render", "security", "session", "users", "cache"];
const EVE = {
  GIT_AUTHOR_NAME: "Eve",
  GIT_AUTHOR_EMAIL: "eve@x",
  GIT_COMMITTER_NAME: "Eve",
  GIT_COMMITTER_EMAIL: "eve@x",
  // Developers may sign their commits.
  GIT_CONFIG_COUNT: "1",
  GIT_CONFIG_KEY_0: "commit.gpgSign",
  GIT_CONFIG_VALUE_0: "false",
};
const HOME = "01.home/default.md";
/** A shell starts them: a fork of the large process of the tests takes longer than git. */
const PUSH = 'git add -A && git commit -q -m "by Eve" && git push -q "$@" origin main';

/** The remote, and what happens to it from outside. */
export interface GitRemote {
  /** A folder that `close` deletes. */
  base: string;
  /** Path of the bare repository. */
  url: string;
  /** Runs git in the clone; the trimmed output. */
  git(...args: string[]): string;
  /** Runs git in the bare repository. */
  bare(...args: string[]): string;
  /** Writes files (null deletes), commits and pushes as Eve. */
  push(files: Record<string, string | Buffer | null>, ...options: string[]): Promise<void>;
  /** Writes an object without checks; its id. */
  object(type: string, parts: readonly Buffer[], repository: string): string;
  /** Takes the remote away, or brings it back. */
  down(): Promise<void>;
  up(): Promise<void>;
  /** Boots a site that follows the remote; `name` is its folder. */
  boot(name?: string, options?: BootOptions & GitSettings): Promise<TestSite>;
  close(): Promise<void>;
}
/** Keys of `git_sync`. */
export interface GitSettings {
  sync?: Record<string, unknown>;
}

/** A remote with one page, on the branch `main`. */
export async function gitRemote(): Promise<GitRemote> {
  const base = await mkdtemp(join(tmpdir(), "site-git-"));
  const [url, clone] = [join(base, "remote.git"), join(base, "clone")];
  const running: TestSite[] = [];
  const run = (cwd: string, args: string[]): string => execute(cwd, "git", args);
  copyPrepared(base);
  return {
    base,
    url,
    git: (...args) => run(clone, args),
    bare: (...args) => run(url, args),
    push: async (files, ...options) => {
      for (const [name, text] of Object.entries(files)) {
        await mkdir(dirname(join(clone, name)), { recursive: true });
        if (text === null) await rm(join(clone, name), { recursive: true });
        else await writeFile(join(clone, name), text);
      }
      execute(clone, "sh", ["-c", PUSH, "sh", ...options]);
    },
    object: (type, parts, cwd) =>
      execFileSync("git", ["hash-object", "-w", "--literally", "-t", type, "--stdin"], {
        cwd,
        input: Buffer.concat(parts),
        encoding: "utf8",
      }).trim(),
    down: () => rename(url, `${url}.down`),
    up: () => rename(`${url}.down`, url),
    boot: async (name = "site", { sync = {}, settings = {}, ...options } = {}) => {
      const root = join(base, name);
      await mkdir(root, { recursive: true });
      await writeFile(join(root, "site.yaml"), "title: Test\n");
      const git_sync = { remote: url, interval_seconds: 0, ...sync };
      const system = { git_sync, ...settings.system };
      const site = await bootSite({
        plugins: [...PLUGINS, ...MORE],
        ...options,
        root,
        settings: { ...settings, system },
      });
      running.push(site);
      return site;
    },
    close: async () => {
      for (const site of running.splice(0)) await site.close();
      await rm(base, { recursive: true, force: true, maxRetries: 5 });
    },
  };
}

let prepared: string | undefined;

/** Copies the remote and its clone, which git makes once for all tests of the process. */
function copyPrepared(base: string): void {
  prepared ??= prepare(processFolder("site-git-prepared-"));
  cpSync(prepared, base, { recursive: true });
  const config = join(base, "clone/.git/config");
  writeFileSync(config, readFileSync(config, "utf8").replaceAll(prepared, base));
}

function prepare(base: string): string {
  execute(base, "git", ["init", "-q", "--bare", "-b", "main", "remote.git"]);
  execute(base, "git", ["clone", "-q", join(base, "remote.git"), "clone"]);
  const clone = join(base, "clone");
  mkdirSync(join(clone, "01.home"));
  writeFileSync(join(clone, HOME), page("Home"));
  execute(clone, "git", ["checkout", "-q", "-B", "main"]);
  execute(clone, "sh", ["-c", PUSH, "sh"]);
  return base;
}

function execute(cwd: string, command: string, args: readonly string[]): string {
  return execFileSync(command, args, {
    cwd,
    encoding: "utf8",
    stdio: ["ignore", "pipe", "pipe"],
    env: { ...process.env, ...EVE },
  }).trim();
}

/** The source of a page. */
export function page(title: string, body = "text"): string {
  return `---\ntitle: ${title}\n---\n\n${body}\n`;
}
