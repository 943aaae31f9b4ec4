/** Finds the users of pages and files: links in texts, and relations of pages and records. */
import { join } from "node:path";
import { readFile } from "node:fs/promises";
import type { SiteContext } from "#kernel";
import type { PageEntry, Relation, ContentProblem, RelationValues } from "../content/contract.js";
import type { FlexChange } from "../flex/contract.js";
import type { PageReference } from "./contract.js";
import type { Links } from "./link-graph.js";

type Site = Pick<SiteContext, "use" | "paths" | "settings">;

/**
 * References to files below the content folder, and to records (`flex-objects/product/chair.yaml`), from
 * other files and records, with their lines.
 */
export async function findReferences(
  site: Site,
  links: Links,
  files: ReadonlySet<string>,
): Promise<readonly PageReference[]> {
  const inText = links.all.flatMap(({ from, scanned, resolved }): PageReference[] => {
    if (files.has(from.sourcePath) || !isOneOf(resolved, files)) return [];
    return [{ from: from.sourcePath, text: scanned.target, line: scanned.line }];
  });
  const named = new NamedFiles(site, links, files);
  const { entries } = links.generation;
  const pages = entries.filter(({ sourcePath }) => !files.has(sourcePath));
  return [...inText, ...(await named.byPages(pages)), ...(await named.byRecords())];
}

function isOneOf(resolved: Links["all"][number]["resolved"], files: ReadonlySet<string>): boolean {
  if (resolved.kind === "page") return files.has(resolved.entry.sourcePath);
  return resolved.kind === "media" && files.has(resolved.path);
}

/** Relations that name one of the files. */
class NamedFiles {
  readonly #site: Site;
  readonly #files: ReadonlySet<string>;
  /** Keys of the pages among the files. */
  readonly #keys: ReadonlySet<string>;

  constructor(site: Site, { generation }: Links, files: ReadonlySet<string>) {
    this.#site = site;
    this.#files = files;
    const pages = [...files].flatMap((path) => generation.bySource.get(path) ?? []);
    this.#keys = new Set(pages.map((page) => site.use("content").relations.keyOf(page)));
  }

  async byPages(pages: readonly PageEntry[]): Promise<PageReference[]> {
    const { relations } = this.#site.use("content");
    const references: PageReference[] = [];
    for (const page of pages) {
      const named = relations.of(page).filter((one) => this.#isNamed(one));
      if (named.length === 0) continue;
      const from = page.sourcePath;
      references.push(...(await toReferences(join(this.#site.paths.content, from), from, named)));
    }
    return references;
  }

  async byRecords(): Promise<PageReference[]> {
    const { relations } = this.#site.use("content");
    const references: PageReference[] = [];
    for (const record of await findRecords(this.#site)) {
      const named = relations.named(record).filter((one) => this.#isNamed(one));
      if (named.length === 0) continue;
      const from = recordPath(record);
      if (this.#files.has(from)) continue;
      references.push(...(await toReferences(join(this.#site.paths.root, from), from, named)));
    }
    return references;
  }

  #isNamed(relation: Relation): boolean {
    const { target, entry, owner, file } = relation;
    if (target === "record") return possiblePaths(relation).some((path) => this.#files.has(path));
    const page = entry ?? owner;
    if (page !== null && this.#keys.has(this.#site.use("content").relations.keyOf(page)))
      return true;
    return file !== null && this.#files.has(file);
  }
}

/** The files that a key of a record may mean: `product/chair`, or `chair` of the allowed types. */
function possiblePaths({ key, of }: Relation): readonly string[] {
  const keys = key.includes("/") ? [key] : of.map((type) => `${type}/${key}`);
  return keys.map((one) => `flex-objects/${one}.yaml`);
}

async function toReferences(
  file: string,
  from: string,
  relations: readonly Relation[],
): Promise<PageReference[]> {
  const lines = await readLines(file);
  return relations.map(({ field, key }) => ({
    from,
    text: key,
    line: findLine(lines, field),
    field,
  }));
}

/** A record of a type whose records may name pages. */
interface FoundRecord extends RelationValues {
  readonly type: string;
  readonly id: string;
}

/** Relations of records that lead nowhere, as warnings: the records are served. */
export async function missingOfRecords(site: Site): Promise<ContentProblem[]> {
  const problems: ContentProblem[] = [];
  for (const record of await findRecords(site)) {
    const sourcePath = recordPath(record);
    for (const { field: key, message } of await site.use("content").relations.missing(record)) {
      const line = findLine(await readLines(join(site.paths.root, sourcePath)), key);
      const code = "ERR_FLEX_RELATION";
      problems.push({ sourcePath, severity: "warning", code, message, key, line });
    }
  }
  return problems;
}

/** The changes of records that name pages which move; made before the pages move. */
export async function movedRecords(
  site: Site,
  pathAfter: (path: string) => string,
): Promise<FlexChange[]> {
  const { relations } = site.use("content");
  return (await findRecords(site)).flatMap((record): FlexChange[] => {
    const data = relations.moved(record, pathAfter);
    const { type, id } = record;
    return data === null ? [] : [{ op: "update", type, id, data }];
  });
}

/** The file of a record below the site root. */
export function recordPath({ type, id }: Pick<FoundRecord, "type" | "id">): string {
  return `flex-objects/${type}/${id}.yaml`;
}

/** The records of types whose fields may be relations. */
async function findRecords(site: Site): Promise<FoundRecord[]> {
  const flex = site.use("flex", { optional: true });
  const lang = site.settings.system.languages.default;
  const records: FoundRecord[] = [];
  for (const { name: type, fields } of flex?.types() ?? []) {
    for (const values of (await flex?.all(type)) ?? [])
      records.push({ type, id: values._id, fields, values, lang });
  }
  return records;
}

/** The lines of a file; none when it cannot be read. */
async function readLines(file: string): Promise<readonly string[]> {
  return (await readFile(file, "utf8").catch(() => "")).split(/\r?\n/);
}

/** The line of a field's first key. */
function findLine(lines: readonly string[], field: string): number {
  const [key = ""] = field.split(".");
  return Math.max(lines.findIndex((line) => line.startsWith(`${key}:`)) + 1, 1);
}
