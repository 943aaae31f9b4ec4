/** Relations from records to pages. */
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import type { SiteContext } from "#kernel";
import type { ContentProblem, RelationValues } from "../content/contract.js";
import type { FlexChange } from "../flex/contract.js";

type Site = Pick<SiteContext, "use" | "paths" | "settings">;
/** A record of a type whose records may name pages. */
export interface FoundRecord extends RelationValues {
  readonly type: string;
  readonly id: string;
}

/** Relations of records that lead nowhere, as warnings: the records are served. */
export async function missingOfRecords(site: Site): Promise<ContentProblem[]> {
  const found: ContentProblem[] = [];
  for (const record of await recordsOf(site)) {
    const sourcePath = pathOf(record);
    for (const { field: key, message } of await site.use("content").relations.missing(record)) {
      const line = lineOf(await linesOf(join(site.paths.root, sourcePath)), key);
      const code = "ERR_FLEX_RELATION";
      found.push({ sourcePath, severity: "warning", code, message, key, line });
    }
  }
  return found;
}

/** The changes of records that name pages which move; made before the pages move. */
export async function movedRecords(
  site: Site,
  pathAfter: (path: string) => string,
): Promise<FlexChange[]> {
  const { relations } = site.use("content");
  return (await recordsOf(site)).flatMap((record): FlexChange[] => {
    const data = relations.moved(record, pathAfter);
    const { type, id } = record;
    return data === null ? [] : [{ op: "update", type, id, data }];
  });
}

/** The file of a record below the site root. */
export function pathOf({ type, id }: Pick<FoundRecord, "type" | "id">): string {
  return `flex-objects/${type}/${id}.yaml`;
}

/** The records of types whose fields may be relations. */
export async function recordsOf(site: Site): Promise<FoundRecord[]> {
  const flex = site.use("flex", { optional: true });
  const lang = site.settings.system.languages.default;
  const found: FoundRecord[] = [];
  for (const { name: type, fields } of flex?.types() ?? []) {
    for (const values of (await flex?.all(type)) ?? [])
      found.push({ type, id: values._id, fields, values, lang });
  }
  return found;
}

/** The lines of a file; none when it cannot be read. */
export async function linesOf(file: string): Promise<readonly string[]> {
  return (await readFile(file, "utf8").catch(() => "")).split(/\r?\n/);
}

/** The line of a field's first key. */
export function lineOf(lines: readonly string[], field: string): number {
  const [key = ""] = field.split(".");
  return Math.max(lines.findIndex((line) => line.startsWith(`${key}:`)) + 1, 1);
}
