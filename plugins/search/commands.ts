import type { Command, CommandInput, SiteContext } from "#kernel";
import { optionError } from "#kernel/internal";
import { compareEngines } from "./compare-engines.js";
import type { Explanation, SearchItem, SearchService } from "./contract.js";
import { runGoldenQueries } from "./golden-queries.js";

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
  const queries = await queriesOf(context.use("search"));
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

async function queriesOf(service: SearchService): Promise<string[]> {
  return (await service.analytics()).topQueries.map(({ query }) => query);
}
