/**
 * Public sites of other systems, imported or served as they are: each is crawled whole while it is served.
 * `BENCH_REPOSITORIES` is a folder of bare clones, `owner+name`; `npm run bench -- sites` measures those that are
 * there, `BENCH_SITES=etcd,redux` only those, `BENCH_SITES_LIMIT` so many pages of each. What is dead and left over is written to the folder `BENCH_SITES_OUT`.
 */
import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { cp, readdir, readFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, posix } from "node:path";
import { fileURLToPath } from "node:url";
import { z } from "zod";
import { build, isStale } from "../../scripts/build.mjs";
import { machine, runAsScript, short, table, writeSection } from "../support/report.js";
import { startServer } from "../support/server-process.js";
import {
  type Answer,
  type Crawl,
  type CrawlLimits,
  crawlSite,
  type DeadTarget,
  follow,
  type Read,
} from "./crawl.js";
import { isReported, type Leftover, leftoversOf } from "./leftovers.js";
import { hideCode } from "../../plugins/import/text/hidden-code.js";
import { hasAnchor, isInSource, type Original, originalOf, TEXT } from "./original.js";
import { oldOf } from "./old-addresses.js";
import { PUBLIC_SITES, type PublicSite } from "./list.js";

const here = fileURLToPath(new URL("../..", import.meta.url));
const repositories = process.env["BENCH_REPOSITORIES"] ?? join(tmpdir(), "repositories");
const out = process.env["BENCH_SITES_OUT"] ?? join(tmpdir(), "bench-sites");
const wanted = process.env["BENCH_SITES"]?.split(",") ?? PUBLIC_SITES.map(({ name }) => name);
/** A number of pages instead of both limits; 0: no page is crawled. */
const LIMIT = process.env["BENCH_SITES_LIMIT"];
const LIMITS: CrawlLimits =
  LIMIT === undefined
    ? { whole: 400, sample: 300 }
    : { whole: Number(LIMIT), sample: Number(LIMIT) };
/** The static export of a site of at most so many pages is crawled too. */
const EXPORTED_PAGES = Number(process.env["BENCH_SITES_EXPORTED"] ?? 400);
const MAX_OLD = 300;
/** Stand for a file that the copy of a repository lacks, by the ending of its name; a picture for any other one. */
const STAND_INS: Readonly<Record<string, Buffer>> = {
  gif: Buffer.from("R0lGODlhAQABAAAAACwAAAAAAQABAAA=", "base64"),
  mp4: Buffer.from("0000001866747970697736320000000069736f6d6d703432", "hex"),
  pdf: Buffer.from("%PDF-1.4\n"),
};

const reportSchema = z.object({
  pages: z.object({ created: z.number(), skipped: z.number(), failed: z.number() }),
  notImported: z.array(z.object({ file: z.string(), reason: z.string() })),
  failures: z.array(z.object({ file: z.string(), reason: z.string() })),
  links: z.object({ rewritten: z.number(), unresolved: z.number() }),
  lostLinks: z.array(z.object({ file: z.string(), reason: z.string() })),
  deadLinks: z.array(z.object({ file: z.string(), reason: z.string() })),
});
type ImportReport = z.infer<typeof reportSchema>;

/** The folder of a source, and its files. */
interface Source {
  readonly folder: string;
  readonly files: readonly string[];
}
interface Outcome {
  readonly site: PublicSite;
  readonly commit: string;
  readonly files: number;
  readonly importCpu: number;
  readonly crawlCpu: number;
  readonly crawl: Crawl;
  /**
   * Links in the report of the import; of those without a target: `left` to what stays behind and has a line of its own,
   * such as a page that a component makes, and `named` although the source has a file of the last name. Both worked on
   * the original. `lost`: those of `named` that have the folder above in common too.
   */
  readonly reported: {
    readonly links: number;
    readonly dead: number;
    readonly left: number;
    readonly lost: number;
    readonly named: number;
  };
  /** Dead targets that worked on the original, see `workedThere`. */
  readonly lost: readonly DeadTarget[];
  readonly leftovers: readonly (Leftover & { page: string; isReported: boolean })[];
  readonly old: { readonly asked: number; readonly dead: readonly string[] };
  /** Pages of the source that have neither a page nor a line. */
  readonly silent: readonly string[];
  readonly exported: string;
}

async function measure(site: PublicSite): Promise<Outcome> {
  const source = join(out, "source", site.name);
  const root = join(out, "site", site.name);
  const commit = extract(site, source);
  const folder = join(source, site.folder ?? "");
  rmSync(root, { recursive: true, force: true });
  mkdirSync(join(root, "content"), { recursive: true });
  writeFileSync(
    join(root, "site.yaml"),
    `title: ${site.name}\nurl: http://localhost\ntheme:\n  preset: ${site.preset}\n`,
  );
  const languages = site.languages ?? ["en"];
  writeFileSync(
    join(root, "system.yaml"),
    `languages:\n  default: ${languages[0]}\n  supported: [${languages.join(", ")}]\n`,
  );
  const from = childCpu();
  const report = site.how === "as-is" ? null : importFrom(site, folder, root);
  if (report === null) await cp(folder, join(root, "content"), { recursive: true });
  const importCpu = childCpu() - from;
  const files = await sourceFiles(folder);
  const text = { site, commit, importCpu, files: files.filter((one) => TEXT.test(one)).length };
  const original = await originalOf(site, folder, files, targetsBehind(report));
  const reported = reportedLinks(report, original);
  const silent = report === null ? [] : silentFiles(files, report, root);
  const words = report === null ? checkOf(root) : reportText(site);
  if (LIMITS.sample === 0) {
    const leftovers = writtenLeftovers(root).map((one) => ({
      ...one,
      isReported: isReported(one, words),
    }));
    return { ...text, reported, silent, leftovers, ...NOTHING };
  }
  const server = await startServer([join(here, "bench/support/site-server.mjs"), root], {
    BENCH_LOG_LEVEL: "error",
  });
  try {
    const read = reader(server.url);
    const crawl = await crawlSite(read, LIMITS);
    const crawlCpu = server.cpu() / 1_000_000;
    const leftovers = [...crawl.texts].flatMap(([page, shown]) =>
      leftoversOf(shown)
        .filter((one) => !original.shows(one.text))
        .map((one) => ({ ...one, page, isReported: isReported(one, words) })),
    );
    const old = await oldAddresses(read, site, { folder, files }, report);
    const lost: DeadTarget[] = [];
    for (const dead of crawl.dead) {
      const isThere =
        dead.kind === "anchor" ? await hasAnchor(dead, folder, files) : original.has(dead.target);
      if (isThere && dead.isText) lost.push(dead);
    }
    const exported = crawl.pages <= EXPORTED_PAGES ? await crawlExport(root, crawl) : "";
    return { ...text, reported, silent, leftovers, crawlCpu, crawl, lost, old, exported };
  } finally {
    await server.stop();
  }
}

/** What is not measured when no page is crawled. */
const NOTHING = {
  crawlCpu: 0,
  crawl: {
    pages: 0,
    crawled: 0,
    links: 0,
    anchors: 0,
    images: 0,
    dead: [],
    failed: [],
    texts: new Map<string, string>(),
  },
  lost: [],
  old: { asked: 0, dead: [] },
  exported: "",
};

/** The links of a report. */
function reportedLinks(report: ImportReport | null, original: Original): Outcome["reported"] {
  if (report === null) return { links: 0, dead: 0, left: 0, lost: 0, named: 0 };
  const { rewritten, unresolved } = report.links;
  const targets = report.deadLinks.flatMap(({ file, reason }) => {
    const quoted = /link to ("(?:[^"\\]|\\.)*") leads to nothing/.exec(reason)?.[1];
    return quoted === undefined
      ? []
      : [{ page: file, target: z.string().parse(JSON.parse(quoted)) }];
  });
  const lost = targets.filter((one) => isInSource(one, original.files)).length;
  const named = targets.filter(({ target }) => original.has(target)).length;
  const left = report.lostLinks.length;
  return { links: rewritten + unresolved, dead: unresolved, left, lost, named };
}

/** The targets of links to what stays behind with a line. */
function targetsBehind(report: ImportReport | null): ReadonlySet<string> {
  return new Set(
    (report?.lostLinks ?? []).flatMap(({ reason }) => {
      const quoted = /link to ("(?:[^"\\]|\\.)*") had a target/.exec(reason)?.[1];
      return quoted === undefined ? [] : [z.string().parse(JSON.parse(quoted))];
    }),
  );
}

/** Leftovers in the written texts outside of code and comments. */
function writtenLeftovers(root: string): (Leftover & { page: string })[] {
  const folder = join(root, "content");
  const files = readdirSync(folder, { recursive: true }).map(String);
  return files
    .filter((file) => file.endsWith(".md"))
    .flatMap((page) => {
      const text = readFileSync(join(folder, page), "utf8").replace(/^---\n[^]*?\n---\n/, "");
      const plain = hideCode(text, { hasIndented: true })
        .text.replaceAll(/<!--[^]*?-->/g, "")
        .replaceAll(/^ {0,3}\[[^\]\n]+\]:[^\n]*$|(?<=\]\()[^()\n]*(?=\))/gm, "");
      return leftoversOf(plain)
        .filter((one) => !isOwnSyntax(one))
        .map((one) => ({ ...one, page }));
    });
}

/** True for what this project reads in a text, so that no visitor sees it. */
function isOwnSyntax({ kind, text }: Leftover): boolean {
  if (kind === "attribute list") return /^\{#[^\s{}]+\}$/.test(text);
  if (kind === "wiki link") return text === "[[toc]]";
  if (kind === "container")
    return /^:{3,}(?: ?(?:tabs?|note|tip|info|important|warning|caution|danger|success|details)\b.*|\n[^]*)?$/.test(
      text,
    );
  return (
    kind === "raw link" ||
    kind === "alert of GitHub" ||
    kind === "raw fence" ||
    kind === "table of contents"
  );
}

/** Brings the paths of a repository into a folder; returns the commit. */
export function extract({ repository, paths = [] }: PublicSite, folder: string): string {
  const bare = join(repositories, repository.replace("/", "+"));
  const git = (...args: string[]): string => run("git", ["--git-dir", bare, ...args]);
  const commit = git("rev-parse", "--short=10", "HEAD").trim();
  if (existsSync(folder)) return commit;
  const files = git("ls-tree", "-r", "HEAD", ...paths)
    .split("\n")
    .flatMap((line) => {
      const [, id, path] = /^100\d{3} blob (\w+)\t(.+)$/.exec(line) ?? [];
      return id === undefined || path === undefined || path.includes('"') ? [] : [{ id, path }];
    });
  const objects = blobs(
    bare,
    files.map(({ id }) => id),
  );
  for (const { id, path } of files) {
    mkdirSync(join(folder, posix.dirname(path)), { recursive: true });
    writeFileSync(join(folder, path), objects.get(id) ?? standIn(path));
  }
  return commit;
}

function standIn(path: string): Buffer {
  const ending = posix.extname(path).slice(1).toLowerCase();
  return STAND_INS[ending] ?? STAND_INS["gif"] ?? Buffer.alloc(0);
}

/** The objects of a clone; large ones may be missing in a copy. */
function blobs(bare: string, ids: readonly string[]): ReadonlyMap<string, Buffer> {
  const { stdout } = spawnSync("git", ["--git-dir", bare, "cat-file", "--batch"], {
    input: `${ids.join("\n")}\n`,
    maxBuffer: 1 << 30,
  });
  const objects = new Map<string, Buffer>();
  for (let at = 0; at < stdout.length;) {
    const end = stdout.indexOf("\n", at);
    const [id = "", type = "", size = "0"] = stdout.toString("latin1", at, end).split(" ");
    at = end + 1;
    if (type !== "blob") continue;
    objects.set(id, stdout.subarray(at, at + Number(size)));
    at += Number(size) + 1;
  }
  return objects;
}

function importFrom({ how, name }: PublicSite, folder: string, root: string): ImportReport {
  const file = join(out, `${name}.report.json`);
  const args = ["import", how, folder, "--root", root, "--report", file];
  if (how === "wordpress" || how === "ghost") args.push("--no-media");
  const { stderr } = spawnSync(process.execPath, [join(here, "kernel/cli/bin.mjs"), ...args], {
    encoding: "utf8",
  });
  if (!existsSync(file)) throw new Error(`the import of ${name} failed: ${stderr.slice(-500)}`);
  return reportSchema.parse(JSON.parse(readFileSync(file, "utf8")));
}

/** The whole report of an import. */
function reportText({ name }: PublicSite): string {
  return JSON.stringify(JSON.parse(readFileSync(join(out, `${name}.report.json`), "utf8")));
}

/** What `content:check` says of a folder that is served as it is. */
function checkOf(root: string): string {
  const args = [join(here, "kernel/cli/bin.mjs"), "content:check", "--root", root, "--json"];
  return spawnSync(process.execPath, args, { encoding: "utf8", maxBuffer: 1 << 28 }).stdout;
}

function run(command: string, args: readonly string[]): string {
  const { status, stdout, stderr } = spawnSync(command, args, {
    encoding: "utf8",
    maxBuffer: 1 << 28,
  });
  if (status !== 0) throw new Error(`${command} ${args.join(" ")}: ${stderr}`);
  return stdout;
}

/** Seconds of CPU time of all processes that have ended. */
function childCpu(): number {
  const fields = readFileSync("/proc/self/stat", "utf8").split(") ")[1]?.split(" ") ?? [];
  return (Number(fields[13]) + Number(fields[14])) / 100;
}

function reader(url: string): Read {
  return async (path): Promise<Answer> => {
    const response = await fetch(url + path, { redirect: "manual" });
    const type = response.headers.get("content-type") ?? "";
    const isText = /html|xml|json|plain/.test(type);
    const body = isText ? await response.text() : (await response.arrayBuffer(), "");
    return { status: response.status, type, body, location: response.headers.get("location") };
  };
}

const MEDIA = /\.(?:png|jpe?g|gif|webp|avif|svg|ico|mp4|webm|mov|mp3|woff2?|ttf|otf|pdf|zip)$/i;

function foldersAbove(path: string): string[] {
  const parts = path.split("/").slice(0, -1);
  return parts.map((_, at) => parts.slice(0, at + 1).join("/"));
}

async function sourceFiles(folder: string): Promise<string[]> {
  if (/\.(?:xml|json)$/.test(folder)) return [];
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const paths = entries
    .map((entry) => ({
      path: posix.relative(folder, posix.join(entry.parentPath, entry.name)),
      isFolder: entry.isDirectory(),
    }))
    .filter(({ path }) => !/(?:^|\/)(?:node_modules\/|\.)/.test(path));
  // A folder that has only media has no page either.
  const withPages = new Set(
    paths
      .filter(({ path, isFolder }) => !isFolder && !MEDIA.test(path))
      .flatMap(({ path }) => foldersAbove(path)),
  );
  return paths.flatMap(({ path, isFolder }) => (isFolder && !withPages.has(path) ? [] : [path]));
}

/** Pages of the source without a page of their own and without a line in the report. */
function silentFiles(files: readonly string[], report: ImportReport, root: string): string[] {
  const pages = files.filter(
    (path) =>
      /\.(?:md|mdx|markdown)$/i.test(path) &&
      !/(?:^|\/)(?:README|LICENSE|CONTRIBUTING|CHANGELOG|CODE_OF_CONDUCT)\b/i.test(path),
  );
  const written = readdirSync(join(root, "content"), { recursive: true }).filter((path) =>
    String(path).endsWith(".md"),
  ).length;
  const named = new Set([...report.notImported, ...report.failures].map(({ file }) => file));
  const unnamed = pages.filter((path) => !named.has(path));
  return unnamed.slice(0, Math.max(0, unnamed.length - written));
}

/** Asks for the old addresses: those of the front matter, the redirects, and the address of each file. */
async function oldAddresses(
  read: Read,
  { how }: PublicSite,
  { folder, files }: Source,
  report: ImportReport | null,
): Promise<Outcome["old"]> {
  if (report === null) return { asked: 0, dead: [] };
  const left = new Set(
    report.notImported.filter(({ reason }) => !reason.startsWith("/")).map(({ file }) => file),
  );
  const addresses = new Map<string, string>();
  for (const file of files.filter(
    (path) => /\.(?:md|mdx|markdown)$/i.test(path) && !left.has(path),
  )) {
    for (const address of await oldOf(how, folder, file)) addresses.set(address, file);
  }
  const all = [...addresses];
  const step = Math.max(1, all.length / MAX_OLD);
  const asked = Array.from(
    { length: Math.min(all.length, MAX_OLD) },
    (_, at) => all[Math.floor(at * step)],
  ).filter((one) => one !== undefined);
  const dead: string[] = [];
  for (const [address, file] of asked) {
    const { answer } = await follow(read, address);
    if (answer.status >= 400) dead.push(`${address} (${file})`);
  }
  return { asked: asked.length, dead };
}

/** Writes the static export, and crawls its files as a host would send them. */
async function crawlExport(root: string, crawl: Crawl): Promise<string> {
  const folder = join(root, "export");
  const args = [
    "build",
    "--static",
    "--root",
    root,
    "--out",
    folder,
    "--base-url",
    "http://site.invalid",
    "--allow-broken-links",
  ];
  const { stderr } = spawnSync(process.execPath, [join(here, "kernel/cli/bin.mjs"), ...args], {
    encoding: "utf8",
    maxBuffer: 1 << 28,
  });
  if (!existsSync(folder)) return `failed: ${stderr.slice(-200)}`;
  const read: Read = async (path) => {
    const plain = decodeURIComponent(path.replace(/[?#].*$/s, ""));
    for (const name of [plain, join(plain, "index.html"), `${plain}.html`]) {
      const body = await readFile(join(folder, name), "utf8").catch(() => null);
      if (body === null) continue;
      const type = name.endsWith(".xml") ? "text/xml" : name.endsWith(".html") ? "text/html" : "";
      return { status: 200, type, body, location: null };
    }
    return { status: 404, type: "", body: "", location: null };
  };
  const other = await crawlSite(read, LIMITS);
  return `${other.crawled} pages, ${other.links} links, ${other.dead.length} dead (server ${crawl.dead.length})`;
}

/** The last commit that changed the product, which is all but benchmarks, tests and texts; with a plus sign when it was changed since. */
function stateOfProduct(): string {
  const git = (...args: string[]): string => run("git", ["-C", here, ...args]).trim();
  const product = [".", ":!bench", ":!test", ":!*.md"];
  const changed = git("status", "--porcelain", "--", ...product);
  const commit = git("log", "-1", "--format=%h", "--abbrev=8", "--", ...product);
  return commit + (changed === "" ? "" : "+");
}

async function measureAll(): Promise<void> {
  const state = stateOfProduct();
  if (isStale()) await build();
  mkdirSync(out, { recursive: true });
  for (const site of PUBLIC_SITES.filter(({ name }) => wanted.includes(name))) {
    if (!existsSync(join(repositories, site.repository.replace("/", "+")))) {
      console.log(`${site.name}: no clone of ${site.repository} in ${repositories}`);
      continue;
    }
    try {
      const outcome = await measure(site);
      writeFileSync(
        join(out, `${site.name}.json`),
        JSON.stringify(
          { ...outcome, state, limits: LIMITS, crawl: { ...outcome.crawl, texts: undefined } },
          null,
          1,
        ),
      );
      const row = rowOf(outcome);
      console.log(row.join(" | "));
      writeFileSync(join(out, `${site.name}.row.json`), JSON.stringify(row));
    } catch (error) {
      console.log(`${site.name}: ${String(error)}`);
    }
  }
  // Sites that were measured before, one by one, are in the table too.
  const rows = PUBLIC_SITES.map(({ name }) => join(out, `${name}.row.json`))
    .filter((file) => existsSync(file))
    .map((file) => z.array(z.string()).parse(JSON.parse(readFileSync(file, "utf8"))));
  const head = [
    "site",
    "commit",
    "how",
    "files",
    "pages (crawled)",
    "import: links changed or left, without target, of these to what stays behind with a line, in the source by two names, by the last name",
    "links crawled",
    "dead, of these worked there",
    "anchors, dead, of these worked there",
    "images, dead, of these worked there",
    "right of what worked there: crawled",
    "of all pages, by the import",
    "left over per 100 pages",
    "not reported",
    "old addresses, dead",
    "silent",
    "5xx",
    "CPU s: import, pages",
    "export",
  ];
  await writeSection(
    "sites",
    `## Sites of others\n\n${machine()}. ${COUNTED}\n\n${table(head, rows)}\n\n${whatWasMeasured()}${notReached()}What is dead or left over, and why:\n\n${whatIsDead()}`,
  );
}

/** What the table counts. */
const COUNTED = [
  "At least two sites stand for each importer of another system, but none for `notion`, as no public export of it is known.",
  "Each site is imported into an empty site, or served as it is, and crawled while it is served: whole, or pages that are spread evenly over the sitemap of a larger site; the number of crawled pages is in brackets.",
  "The static export of smaller sites is crawled in the same way, as a host sends its files.",
  "Links, anchors and images of the text of a page count, each once for a page; those of the theme around it do not.",
  "The anchor of a page that was not crawled counts as right, and so does an address in the sitemap of a larger site.",
  "`worked there`: what worked on the original is estimated from the files of its source, never asked for.",
  "A dead target counts as lost when the source has any file of its last name, in any folder, with any ending (pages, templates, components, styles, downloads), when the report has a line for what it led to, or when a redirect of the host covers it; a folder that has only media is no such file; an anchor counts when a page of that name has such a heading or id.",
  "So a link that was dead there too counts when some other file has its name, and a page that code made there does not count when no file has its name.",
  "The exports of WordPress and Ghost are one file: of them only links to what stays behind with a line can count.",
  "Links to other sites below the same host do not count, nor do those that were looked up by hand and are dead there; the list of sites names them. What code made there although no file has its name counts as lost where the list names it.",
  "`of all pages, by the import`: the same estimate for the links that the import changed or left, also of pages that were not crawled; the import looks at no anchors.",
  "A leftover is syntax of the old system in the visible text of the crawled pages, outside of code; what the source itself escapes is text, and so is a link with a label that no file defines.",
  "`old addresses`: at most 300 of a site, from front matter (Hugo, Jekyll, MkDocs, Grav, Docusaurus) and from the paths of Markdown files (the first four); of other systems none are asked for.",
  "`silent`: Markdown files without any line in the report, as far as they are more than the pages that were written; 0 does not prove that each page is there, and is no measurement for sites that are served as they are, nor for exports of one file.",
].join(" ");

/** A paragraph on the states of the product that the rows are of, and on the pages that were crawled. */
function whatWasMeasured(): string {
  const measured = PUBLIC_SITES.flatMap(({ name }) => {
    const file = join(out, `${name}.json`);
    return existsSync(file) ? [measuredSchema.parse(JSON.parse(readFileSync(file, "utf8")))] : [];
  });
  const states = [...new Set(measured.map(({ state }) => `\`${state}\``))];
  const limits = [
    ...new Set(
      measured.map(
        ({ limits: { whole, sample } }) =>
          `a site of at most ${whole} pages is crawled whole, of any other one ${sample} pages`,
      ),
    ),
  ];
  const of =
    states.length === 1
      ? `All ${measured.length} rows are of one state of the product: ${states.join()}`
      : `The ${measured.length} rows are of the states ${states.join(", ")} of the product`;
  return `${of}; ${limits.join("; or ")}.\n\n`;
}

const measuredSchema = z.object({
  state: z.string(),
  limits: z.object({ whole: z.number(), sample: z.number() }),
});

/** A paragraph that names the sites of the list without a row; empty for none. */
function notReached(): string {
  const names = PUBLIC_SITES.map(({ name }) => name).filter(
    (name) => !existsSync(join(out, `${name}.row.json`)),
  );
  const list = names.map((name) => `\`${name}\``).join(", ");
  return names.length === 0 ? "" : `Not measured in this run: ${list}.\n\n`;
}

/** A line for each site with what is dead there and worked on the original, and for what it has in other words. */
function whatIsDead(): string {
  return PUBLIC_SITES.flatMap(({ name, why = "" }) => {
    const file = join(out, `${name}.json`);
    if (!existsSync(file)) return [];
    const { lost, leftovers } = outcomeSchema.parse(JSON.parse(readFileSync(file, "utf8")));
    const dead = mostFrequent(lost.map(({ target }) => target));
    const left = mostFrequent(leftovers.map(({ kind }) => kind));
    const parts = [
      ...(why === "" ? [] : [why]),
      ...(dead === "" ? [] : [`Dead: ${dead}.`]),
      ...(left === "" ? [] : [`Left over: ${left}.`]),
    ];
    return parts.length === 0 ? [] : [`- \`${name}\`: ${parts.join(" ")}`];
  }).join("\n");
}

const outcomeSchema = z.object({
  lost: z.array(z.object({ target: z.string() })),
  leftovers: z.array(z.object({ kind: z.string() })),
});

/** The most frequent texts, with their counts. */
function mostFrequent(texts: readonly string[]): string {
  const counts = new Map<string, number>();
  for (const text of texts) counts.set(text, (counts.get(text) ?? 0) + 1);
  const sorted = [...counts].toSorted((a, b) => b[1] - a[1]);
  const shown = sorted
    .slice(0, 5)
    .map(([text, count]) => `\`${text.slice(0, 80).replaceAll(/[|`]/g, "")}\` (${count})`);
  const more = sorted.length - shown.length;
  return shown.join(", ") + (more > 0 ? `, and ${more} others` : "");
}

function rowOf({
  reported,
  site,
  commit,
  files,
  importCpu,
  crawlCpu,
  crawl,
  lost,
  leftovers,
  old,
  silent,
  exported,
}: Outcome): string[] {
  const count = (list: readonly DeadTarget[], kind: DeadTarget["kind"]): number =>
    list.filter((one) => one.kind === kind).length;
  const [links, anchors, images] = [
    count(crawl.dead, "link"),
    count(crawl.dead, "anchor"),
    count(crawl.dead, "image"),
  ];
  const share = (total: number, dead: number): string =>
    total === 0 ? "-" : `${((1 - dead / total) * 100).toFixed(2)} %`;
  const isText = crawl.dead.filter((one) => one.isText).length;
  const crawled = crawl.links + crawl.images - (isText - lost.length);
  const { links: all, dead, left: behind, named } = reported;
  return [
    site.name,
    `${site.repository} ${commit}`,
    site.how,
    String(files),
    `${crawl.pages} (${crawl.crawled})`,
    `${reported.links}, ${reported.dead}, ${reported.left}, ${reported.lost}, ${reported.named}`,
    String(crawl.links),
    `${links}, ${count(lost, "link")}`,
    `${crawl.anchors}, ${anchors}, ${count(lost, "anchor")}`,
    `${crawl.images}, ${images}, ${count(lost, "image")}`,
    share(crawled, lost.length),
    share(all - (dead - behind - named), behind + named),
    ((leftovers.length / Math.max(1, crawl.crawled || files)) * 100).toFixed(1),
    String(leftovers.filter((one) => !one.isReported).length),
    `${old.asked}, ${old.dead.length}`,
    String(silent.length),
    String(crawl.failed.length),
    `${short(importCpu)}, ${short(crawlCpu)}`,
    exported,
  ];
}

await runAsScript(import.meta.url, measureAll);
