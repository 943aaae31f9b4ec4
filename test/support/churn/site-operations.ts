import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { TestSite } from "../boot-site.js";
import type { FailingReads } from "../failing-reads.js";
import type { Churned } from "./file-operations.js";
import { pageText, WORDS } from "./page-texts.js";
import { answer } from "./site-state.js";

const GIT_USER = ["-c", "user.name=T", "-c", "user.email=t@example.org"];
const HOUR_MS = 3_600_000;

/** A running site under churn. */
export interface ChurnedSite extends Churned {
  readonly site: TestSite;
  readonly reads: FailingReads;
  /** Moves the clock of the site. */
  advance(ms: number): void;
}
type SiteOperation = (churned: ChurnedSite) => Promise<unknown> | unknown;

function git({ site }: ChurnedSite, ...args: string[]): string {
  return execFileSync("git", [...GIT_USER, ...args], {
    cwd: site.root,
    encoding: "utf8",
    stdio: ["ignore", "pipe", "ignore"],
  }).trim();
}

const commit: SiteOperation = (churned) => {
  if (!existsSync(join(churned.site.root, ".git"))) git(churned, "init", "-q");
  git(churned, "add", "-A", "content");
  git(churned, "commit", "-q", "--allow-empty", "-m", "state");
};

const checkout: SiteOperation = (churned) => {
  commit(churned);
  const commits = git(churned, "rev-list", "--all").split("\n");
  git(churned, "checkout", "-q", "-f", churned.random.pick(commits), "--", "content");
};

const reset: SiteOperation = (churned) => {
  commit(churned);
  const commits = git(churned, "rev-list", "--all").split("\n");
  git(churned, "checkout", "-q", "-f", churned.random.pick(commits));
};

const save: SiteOperation = async ({ site, random }) => {
  const content = site.site.use("content");
  const { entries } = content.generation();
  const path =
    random.chance(0.3) || entries.length === 0
      ? "02.blog/new/default.md"
      : random.pick(entries).sourcePath;
  const patch = { title: `${random.pick(WORDS)} saved` };
  const to = `03.docs/moved-${random.below(5)}.md`;
  await content.apply([
    random.pick([
      { op: "write", path, content: pageText(random) },
      { op: "frontmatter", path, patch },
      { op: "delete", path },
      { op: "move", path, to },
    ]),
  ]);
};

const visit: SiteOperation = async ({ site, random }) => {
  const { entries } = site.site.use("content").generation();
  const urls = [...entries.map(({ url }) => url), "/", "/sitemap.xml", "/nowhere"];
  await answer(site, random.pick(urls));
  await answer(site, `/api/search?q=${random.pick(WORDS)}&limit=50`);
};

const record: SiteOperation = ({ site, random }) => {
  const file = join(site.root, `flex-objects/product/${random.pick(["a", "b", "c"])}.yaml`);
  mkdirSync(join(file, ".."), { recursive: true });
  if (random.chance(0.3)) rmSync(file, { force: true });
  else writeFileSync(file, `name: ${random.pick(WORDS)}\n`);
};

const failReads: SiteOperation = ({ reads, random, content }) => {
  const name = random.pick([
    "default.md",
    "post.md",
    "02.blog",
    "a.md",
    "product/a.yaml",
    "pic.png",
  ]);
  const code = random.pick(["EIO", "EMFILE", "EACCES"]);
  reads.start(code, (path) => path.endsWith(`/${name}`) && path !== content);
};

const pass: SiteOperation = ({ random }) =>
  new Promise((resolve) => setTimeout(resolve, random.pick([0, 0, 10, 60])));

/** The operations on the site and around it, and their frequency. */
export const SITE_OPERATIONS: readonly (readonly [weight: number, operation: SiteOperation])[] = [
  ...([
    [1, commit],
    [1, checkout],
    [0.5, reset],
    [8, save],
    [12, visit],
    [3, record],
  ] as const),
  ...([
    [2, failReads],
    [5, ({ reads }: ChurnedSite) => reads.stop()],
    [15, pass],
  ] as const),
  [1, ({ advance, random }: ChurnedSite) => advance(random.below(48) * HOUR_MS)],
  [0.5, ({ site }: ChurnedSite) => site.site.use("content").rebuild()],
];
