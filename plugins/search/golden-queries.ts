import { readFile, stat } from "node:fs/promises";
import { join } from "node:path";
import { z } from "zod";
import type { CommandInput } from "#kernel";
import { readData, schemaTexts } from "#kernel/internal";
import { lineAt, lineOf, readYaml, textsOf } from "#lib/yaml";
import type { SearchService } from "./contract.js";

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
export async function runGoldenQueries({
  root,
  options,
  site,
  out,
}: CommandInput): Promise<number> {
  const golden = await readGolden(root);
  if (typeof golden === "string") {
    out.error(`${GOLDEN_FILE}${golden}`);
    return 2;
  }
  const service = (await site()).use("search");
  const outcomes: Outcome[] = [];
  for (const one of golden) outcomes.push(await outcomeOf(service, one));
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

/** As an anonymous visitor sees the results. */
async function outcomeOf(service: SearchService, golden: Golden): Promise<Outcome> {
  const request = { filters: { taxonomy: {}, facets: {} }, sort: "relevance", offset: 0 } as const;
  const { items } = await service.search(
    { ...request, text: golden.query, limit: golden.within, lang: null },
    { roles: null, seesUnpublished: false },
  );
  const found = items.map(({ route }) => route);
  return { ...golden, found, missing: golden.expect.filter((route) => !found.includes(route)) };
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
  const [mistake] = document.errors;
  if (mistake !== undefined)
    return `:${lineAt(text, mistake.pos[0])}  ${mistake.message}; ${mistake.fix}`;
  const values = document.toJS({ maxAliasCount: 100 }) ?? [];
  const read = readData(goldenFile, schemaTexts(goldenFile, values, textsOf(document, values)));
  if (read.mistakes === null) return read.data;
  const [{ path, message, fix }] = read.mistakes;
  const line = lineOf(text, document, path);
  return `  ${path.join(".")} in line ${line}: ${message}; ${fix}; each entry is { query, expect: [route, …], within }`;
}
