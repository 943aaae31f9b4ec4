import type { TestSite } from "../sites/boot-site.js";
import type { FailingReads } from "../hostile/failing-reads.js";
import { FILE_OPERATIONS } from "./file-operations.js";
import { pageText, WORDS } from "./page-texts.js";
import { ROOT_OPERATIONS, type ChurnedRoot } from "./root-operations.js";
import { runOne } from "./run-one.js";
import { answer } from "./site-state.js";

const HOUR_MS = 3_600_000;

/** A running site under churn. */
export interface ChurnedSite extends ChurnedRoot {
  readonly site: TestSite;
  readonly reads: FailingReads;
  /** Moves the clock of the site. */
  advance(ms: number): void;
}
type SiteOperation = (churned: ChurnedSite) => Promise<unknown> | unknown;

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

/** The operations on the site and around it, and their frequency. */
const SITE_OPERATIONS: readonly (readonly [weight: number, operation: SiteOperation])[] = [
  ...ROOT_OPERATIONS,
  ...([
    [8, save],
    [12, visit],
  ] as const),
  ...([
    [2, failReads],
    [5, ({ reads }: ChurnedSite) => reads.stop()],
  ] as const),
  [1, ({ advance, random }: ChurnedSite) => advance(random.below(48) * HOUR_MS)],
  [0.5, ({ site }: ChurnedSite) => site.site.use("content").rebuild()],
];

/** Changes a file or the site at random; injected failures spare the changes of files. */
export async function churnOnce(churned: ChurnedSite): Promise<void> {
  const ofFiles = FILE_OPERATIONS.map(
    ([weight, operation]) => [weight, () => churned.reads.spare(() => operation(churned))] as const,
  );
  const ofSite = SITE_OPERATIONS.map(
    ([weight, operation]) => [weight, () => operation(churned)] as const,
  );
  await runOne(churned.random, [...ofFiles, ...ofSite]);
}
