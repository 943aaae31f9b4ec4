import { readFile, stat } from "node:fs/promises";
import { join } from "node:path";
import { z } from "zod";
import { type Command, type CommandInput, optionError, type SiteContext } from "#kernel";
import { readData, schemaTexts } from "#lib/schema";
import { readYaml } from "#lib/yaml";
import type {
  Explanation,
  SearchItem,
  SearchService,
  SearchDocument,
  SearchEngine,
  SearchQuery,
} from "./contract.js";
import { queryTerms } from "./query/terms.js";

const LIMIT = 10;
const everything = { roles: null, seesUnpublished: true };

/** The commands of search: try a query, compare two engines, test golden queries. */
export const commands: readonly Command[] = [
  {
    name: "search",
    summary: "search the site and show what the API would answer",
    arguments: "<words...>",
    options: [
      ["--explain", "show which term matched which field, and for how many points"],
      ["--json", "print JSON"],
    ],
    run: runSearch,
  },
  {
    name: "search:compare",
    summary: "compare two engines over the queries of the analytics log",
    arguments: "<left> <right>",
    options: [["--json", "print JSON"]],
    run: runCompare,
  },
  {
    name: "search:test",
    summary: "test that the queries of search/golden.yaml find what they should",
    options: [["--json", "print JSON"]],
    run: runGoldenQueries,
  },
];

async function runSearch({ args, options, site, out }: CommandInput): Promise<number> {
  const service = (await site()).use("search");
  const text = args.join(" ");
  const explain = options["explain"] === true;
  const filters = { taxonomy: {}, facets: {} };
  const answer = await service.search(
    { text, filters, sort: "relevance", limit: LIMIT, offset: 0, lang: null, explain },
    everything,
  );
  if (options["json"] === true) out.json(answer);
  else {
    out.line(
      `${answer.total} ${answer.total === 1 ? "result" : "results"}, engine ${service.state().engine}`,
    );
    for (const item of answer.items) printItem(out, item);
  }
  return answer.total > 0 ? 0 : 1;
}

function printItem(out: CommandInput["out"], item: SearchItem): void {
  out.line();
  out.line(
    `${out.colour.bold(item.score.toFixed(1).padStart(6))}  ${item.title}  ${out.colour.dim(item.route)}`,
  );
  if (item.explanation)
    for (const line of explainLines(item.explanation)) out.line(`        ${out.colour.dim(line)}`);
}

function explainLines(explanation: Explanation): string[] {
  const lines = explanation.terms.map(({ term, matches }) => {
    const parts = matches.map(({ field, count, points }) => `${field} ${count}× = ${points}`);
    return `${term}: ${parts.join(", ") || "no match"}`;
  });
  if (explanation.exactTitle > 0) lines.push(`title equals the query = ${explanation.exactTitle}`);
  if (explanation.factor !== 1) lines.push(`all terms match: × ${explanation.factor}`);
  return lines;
}

async function runCompare({ args, options, site, out }: CommandInput): Promise<number> {
  const context = await site();
  const [left = "", right = ""] = args;
  assertEngines(context, [left, right]);
  const { topQueries } = await context.use("search").analytics();
  const queries = topQueries.map(({ query }) => query);
  if (queries.length === 0) {
    throw optionError("no queries are logged yet", {
      fix: "search on the site first, then compare",
    });
  }
  const rows = await compareEngines(
    context,
    { left, right, documents: () => context.use("search").documents() },
    queries,
  );
  if (options["json"] === true) out.json(rows);
  else {
    out.line(
      ["overlap", "same order", `${left} ms`, `${right} ms`, "query"]
        .map((name) => name.padStart(12))
        .join(""),
    );
    for (const row of rows) {
      const cells = [
        `${Math.round(row.overlap * 100)} %`,
        row.sameOrder ? "yes" : "no",
        row.leftMs.toFixed(2),
        row.rightMs.toFixed(2),
      ];
      out.line(`${cells.map((cell) => cell.padStart(12)).join("")}  ${row.query}`);
    }
  }
  return rows.every((row) => row.sameOrder) ? 0 : 1;
}

function assertEngines(site: SiteContext, names: readonly string[]): void {
  const slot = site.engines.slot("search");
  const unknown = names.find((name) => slot.get(name) === undefined);
  if (unknown === undefined) return;
  throw optionError(`no search engine is named ${JSON.stringify(unknown)}`, {
    fix: `use two of ${slot.names.join(", ")}`,
  });
}

const SHOWN = 20;

/** The responses of two engines to one query. */
interface Comparison {
  readonly query: string;
  /** Share of the first 20 routes that both found. */
  readonly overlap: number;
  readonly sameOrder: boolean;
  readonly leftMs: number;
  readonly rightMs: number;
}

/** The engines to compare, and what they index. */
interface ComparedEngines {
  /** Name of one engine. */
  readonly left: string;
  /** Name of the other engine. */
  readonly right: string;
  /** A stream of the documents; each call starts again. */
  documents(): AsyncIterable<SearchDocument>;
}

/** Builds both engines from the site's documents and sends them the same queries. */
export async function compareEngines(
  site: SiteContext,
  compared: ComparedEngines,
  queries: readonly string[],
): Promise<Comparison[]> {
  const slot = site.engines.slot("search");
  const [left, right] = [slot.get(compared.left), slot.get(compared.right)];
  if (!left || !right) return [];
  await left.build(compared.documents());
  await right.build(compared.documents());
  const rows: Comparison[] = [];
  for (const query of queries) {
    const [a, b] = [await ask(left, query), await ask(right, query)];
    const both = a.routes.filter((route) => b.routes.includes(route)).length;
    const most = Math.max(a.routes.length, b.routes.length);
    rows.push({
      query,
      overlap: most === 0 ? 1 : both / most,
      sameOrder: a.routes.join("\n") === b.routes.join("\n"),
      leftMs: a.ms,
      rightMs: b.ms,
    });
  }
  return rows;
}

async function ask(engine: SearchEngine, text: string): Promise<{ routes: string[]; ms: number }> {
  const query: SearchQuery = {
    text,
    terms: queryTerms(text),
    filters: { taxonomy: {}, facets: {} },
    sort: "relevance",
    limit: SHOWN,
    offset: 0,
    lang: null,
    access: [""],
    facets: [],
  };
  const started = performance.now();
  const { hits } = await engine.search(query);
  return { routes: hits.map((hit) => hit.route), ms: performance.now() - started };
}

const GOLDEN_FILE = "search/golden.yaml";
const MAX_BYTES = 1024 * 1024;

const goldenFile = z
  .array(
    z.strictObject({
      query: z.string().min(1).max(256),
      expect: z.array(z.string().startsWith("/")).min(1).max(100),
      within: z.int().min(1).max(100).default(3),
    }),
  )
  .max(2_000);
type Golden = z.output<typeof goldenFile>[number];

/** A golden query and what the first results lack. */
interface Outcome extends Golden {
  readonly missing: readonly string[];
  /** The first results. */
  readonly found: readonly string[];
}

/** `search:test`: whether queries find the pages that they should, among the first results. */
async function runGoldenQueries({ root, options, site, out }: CommandInput): Promise<number> {
  const golden = await readGolden(root);
  if (typeof golden === "string") {
    out.error(`${GOLDEN_FILE}${golden}`);
    return 2;
  }
  const service = (await site()).use("search");
  const outcomes: Outcome[] = [];
  for (const one of golden) outcomes.push(await searchAsVisitor(service, one));
  const failed = outcomes.filter(({ missing }) => missing.length > 0);
  if (options["json"] === true) out.json({ queries: outcomes, failed: failed.length });
  else {
    for (const { query, missing, within, found } of failed) {
      const first = found.join(", ") || "nothing";
      out.line(`${query}: ${missing.join(", ")} not within the first ${within}: ${first}`);
    }
    out.line(
      `${outcomes.length - failed.length} of ${outcomes.length} queries find what they should`,
    );
  }
  return failed.length === 0 ? 0 : 1;
}

/** Searches as an anonymous visitor. */
async function searchAsVisitor(service: SearchService, golden: Golden): Promise<Outcome> {
  const request = { filters: { taxonomy: {}, facets: {} }, sort: "relevance", offset: 0 } as const;
  const { items } = await service.search(
    { ...request, text: golden.query, limit: golden.within, lang: null },
    { roles: null, seesUnpublished: false },
  );
  const routes = items.map(({ route }) => route);
  return {
    ...golden,
    found: routes,
    missing: golden.expect.filter((route) => !routes.includes(route)),
  };
}

/** The queries, or what is wrong with the file. */
async function readGolden(root: string): Promise<Golden[] | string> {
  const file = join(root, GOLDEN_FILE);
  const stats = await stat(file).catch(() => null);
  if (stats === null)
    return " does not exist: add queries, such as - { query: tea, expect: [/tea] }";
  if (stats.size > MAX_BYTES) return ` has ${stats.size} bytes, at most ${MAX_BYTES} are read`;
  const text = await readFile(file, "utf8");
  const document = readYaml(text);
  const { mistake, values, texts } = document;
  if (mistake !== null) return `:${mistake.line}  ${mistake.message}; ${mistake.fix}`;
  const read = readData(goldenFile, schemaTexts(goldenFile, values ?? [], texts ?? []));
  if (read.mistakes === null) return read.data;
  const [{ path, message, fix }] = read.mistakes;
  const line = document.lineOf(path);
  return `  ${path.join(".")} in line ${line}: ${message}; ${fix}; each entry is { query, expect: [route, …], within }`;
}
