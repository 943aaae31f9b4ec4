/** Static exports: ours and those of peers, from the same Markdown, in turn. */
import { appendFileSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { loadavg, tmpdir } from "node:os";
import { join } from "node:path";
import { build, isStale } from "../../scripts/build.mjs";
import { writeContent } from "../support/content-files.js";
import { installOurs, measure, type Cost } from "../support/programs.js";
import { machine, median, runAsScript, short, table, writeSection } from "../support/report.js";
import { staticPeers, type Peer } from "./static-peers.js";

const ROUNDS: Readonly<Record<number, number>> = { 1_000: 3, 10_000: 1 };

/** The stages in the report of `build --json`. */
interface Report {
  success: boolean;
  rendered: number;
  stages: Record<string, number>;
}
type Costs = Map<string, Cost[]>;
interface Round {
  round: number;
  costs: Costs;
}

function note(costs: Costs, name: string, cost: Cost): void {
  costs.set(name, [...(costs.get(name) ?? []), cost]);
  console.log(`  ${name}: ${cost.wall} s, ${short(cost.cpu)} s of processor`);
}

const template = (label: string): string =>
  `import { Html } from "#theme";\nexport default function Page({ page, pageTitle, site, head }) {\n  return <html lang="en"><head><meta charset="utf-8" /><title>{pageTitle}</title><Html as="template" html={head} /></head><body data-mark="${label}"><header><a href="/">{site.title}</a></header><main><article><h1>{page.title}</h1><Html html={page.html} /></article></main><footer>{site.title}</footer></body></html>;\n}\n`;

function writeTheme(root: string, label: string): void {
  mkdirSync(join(root, "themes/bench/templates"), { recursive: true });
  writeFileSync(join(root, "themes/bench/theme.yaml"), "name: bench\nversion: 1.0.0\n");
  writeFileSync(join(root, "themes/bench/templates/default.tsx"), template(label));
}

function exportOurs(bin: string, root: string): { cost: Cost; report: Report } {
  const command = [process.execPath, bin, "build", "--static", "--json", "--root", root];
  const { cost, stdout } = measure(command, root);
  const report = JSON.parse(stdout) as Report;
  if (!report.success) throw new Error(stdout.slice(0, 500));
  return { cost, report };
}

/** Our four exports: the first, nothing changed, one page changed, template changed. */
function measureOurs(bin: string, root: string, { round, costs }: Round): Report {
  rmSync(join(root, ".dune"), { recursive: true, force: true });
  rmSync(join(root, "dist"), { recursive: true, force: true });
  writeTheme(root, `first ${round}`);
  const first = exportOurs(bin, root);
  note(costs, "Site, first export", first.cost);
  note(costs, "Site, nothing changed", exportOurs(bin, root).cost);
  appendFileSync(join(root, "content/0002.section-0002/page-7/default.md"), `\nRound ${round}.\n`);
  note(costs, "Site, one page changed", exportOurs(bin, root).cost);
  writeTheme(root, `second ${round}`);
  note(costs, "Site, template changed", exportOurs(bin, root).cost);
  return first.report;
}

function measureSize(
  pages: number,
  peers: readonly Peer[],
  { folder, bin }: { folder: string; bin: string },
) {
  const costs: Costs = new Map();
  const root = join(folder, `site-${pages}`);
  writeContent(root, pages);
  appendFileSync(join(root, "site.yaml"), "theme: { name: bench }\n");
  const projects = peers.map((peer, at) => ({
    peer,
    project: join(folder, `peer-${pages}-${at}`),
  }));
  for (const { peer, project } of projects) peer.prepare(join(root, "content"), project);
  let stages: Record<string, number> = {};
  for (let round = 1; round <= (ROUNDS[pages] ?? 1); round += 1) {
    console.log(` ${pages} pages, round ${round}`);
    ({ stages } = measureOurs(bin, root, { round, costs }));
    for (const { peer, project } of projects) {
      peer.clean(project);
      note(costs, `${peer.name}, full build`, measure(peer.command, project, peer.env).cost);
    }
  }
  return { costs, stages };
}

function rowsOf(pages: number, costs: Costs): string[][] {
  const middle = (name: string, key: keyof Cost): number =>
    median((costs.get(name) ?? []).map((cost) => cost[key]));
  const base = middle("Site, first export", "wall");
  return [...costs.keys()].map((name) => [
    String(pages),
    name,
    short(middle(name, "wall")),
    short(middle(name, "cpu")),
    short(pages / middle(name, "wall")),
    `${short((middle(name, "wall") / base) * 100)} %`,
  ]);
}

async function bench(): Promise<void> {
  if (isStale()) await build();
  const all = await staticPeers();
  const peers = all.filter(({ missing }) => missing === null);
  for (const { name, missing } of all) if (missing !== null) console.log(`${name}: ${missing}`);
  const folder = mkdtempSync(join(tmpdir(), "site-bench-static-"));
  const bin = installOurs(folder);
  const sizes = (process.env["BENCH_PAGES"] ?? "1000,10000").split(",").map(Number);
  try {
    const results = sizes.map((pages) => ({
      pages,
      ...measureSize(pages, peers, { folder, bin }),
    }));
    await writeSection("static", sectionOf(results, all));
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function sectionOf(
  results: readonly { pages: number; costs: Costs; stages: Record<string, number> }[],
  peers: readonly Peer[],
): string {
  const head = ["pages", "export", "s", "CPU s", "pages/s", "of our first"];
  const absent = peers.flatMap(({ name, missing }) =>
    missing === null ? [] : [`${name} (${missing})`],
  );
  const stages = results.map(
    ({ pages, stages: ms }) =>
      `${pages} pages: ${Object.entries(ms)
        .map(([name, value]) => `${name} ${value} ms`)
        .join(", ")}`,
  );
  return [
    "## Static export",
    `${machine()}; system load at the end ${loadavg()[0]?.toFixed(1)}. The same Markdown (2.7 KB per page, sections of 100) and the same simple layout for all, one after another; medians of ${ROUNDS[1_000]} rounds at 1,000 pages and ${ROUNDS[10_000]} at 10,000. From the start of the process to its end. Sitewright also writes feeds, the sitemap, API lists and the search index, and sanitises HTML; the others do not.`,
    table(
      head,
      results.flatMap(({ pages, costs }) => rowsOf(pages, costs)),
    ),
    `Stages of our first export (\`pages\` is Markdown, theme and writing in two threads; \`search\` then uses the cached Markdown):\n\n${stages.map((line) => `- ${line}`).join("\n")}`,
    absent.length === 0 ? "" : `Not measured here: ${absent.join("; ")}.`,
  ]
    .filter((part) => part !== "")
    .join("\n\n");
}

await runAsScript(import.meta.url, bench);
