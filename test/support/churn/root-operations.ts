import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Churned } from "./file-operations.js";
import { WORDS } from "./page-texts.js";

const GIT_USER = ["-c", "user.name=T", "-c", "user.email=t@example.org"];

/** A folder under churn, with what lies beside it. */
export interface ChurnedRoot extends Churned {
  /** Has `content/` and `flex-objects/`. */
  readonly root: string;
}
type RootOperation = (churned: ChurnedRoot) => Promise<unknown> | unknown;

function git({ root }: ChurnedRoot, ...args: string[]): string {
  return execFileSync("git", [...GIT_USER, ...args], {
    cwd: root,
    encoding: "utf8",
    stdio: ["ignore", "pipe", "ignore"],
  }).trim();
}

const commit: RootOperation = (churned) => {
  if (!existsSync(join(churned.root, ".git"))) git(churned, "init", "-q");
  git(churned, "add", "-A", "content");
  git(churned, "commit", "-q", "--allow-empty", "-m", "state");
};

const checkout: RootOperation = (churned) => {
  commit(churned);
  const commits = git(churned, "rev-list", "--all").split("\n");
  git(churned, "checkout", "-q", "-f", churned.random.pick(commits), "--", "content");
};

const reset: RootOperation = (churned) => {
  commit(churned);
  const commits = git(churned, "rev-list", "--all").split("\n");
  git(churned, "checkout", "-q", "-f", churned.random.pick(commits));
};

const record: RootOperation = ({ root, random }) => {
  const file = join(root, `flex-objects/product/${random.pick(["a", "b", "c"])}.yaml`);
  mkdirSync(join(file, ".."), { recursive: true });
  if (random.chance(0.3)) rmSync(file, { force: true });
  else writeFileSync(file, `name: ${random.pick(WORDS)}\n`);
};

const pass: RootOperation = ({ random }) =>
  new Promise((resolve) => setTimeout(resolve, random.pick([0, 0, 10, 60])));

/** The operations around a site, and their frequency. */
export const ROOT_OPERATIONS: readonly (readonly [weight: number, operation: RootOperation])[] = [
  [1, commit],
  [1, checkout],
  [0.5, reset],
  [3, record],
  [15, pass],
];
