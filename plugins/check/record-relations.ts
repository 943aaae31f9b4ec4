/** Relations from records to pages. */
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import type { SiteContext } from "#kernel";
import type { ContentProblem, PageEntry, RelationValues } from "../content/contract.js";
import type { FlexChange } from "../flex/contract.js";
import type { PageReference } from "./contract.js";

type Site = Pick<SiteContext, "use" | "paths" | "settings">;
/** A record of a type whose records may name pages. */
interface Found extends RelationValues {
  readonly type: string;
  readonly id: string;
}

/** The records that name a page, with their lines. */
export async function recordsNaming(site: Site, page: PageEntry): Promise<PageReference[]> {
  const { relations } = site.use("content");
  const found: PageReference[] = [];
  for (const record of await recordsOf(site)) {
    const from = pathOf(record);
    for (const { target, entry, field, key: text } of relations.named(record)) {
      if (target !== "page" || entry?.route !== page.route || entry.folder !== page.folder)
        continue;
      found.push({ from, text, line: await lineOf(join(site.paths.root, from), field), field });
    }
  }
  return found;
}

/** Relations of records that lead nowhere, as warnings: the records are served. */
export async function missingOfRecords(site: Site): Promise<ContentProblem[]> {
  const found: ContentProblem[] = [];
  for (const record of await recordsOf(site)) {
    const sourcePath = pathOf(record);
    for (const { field: key, message } of await site.use("content").relations.missing(record)) {
      const line = await lineOf(join(site.paths.root, sourcePath), key);
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

function pathOf({ type, id }: Pick<Found, "type" | "id">): string {
  return `flex-objects/${type}/${id}.yaml`;
}

async function recordsOf(site: Site): Promise<Found[]> {
  const flex = site.use("flex", { optional: true });
  const lang = site.settings.system.languages.default;
  const found: Found[] = [];
  for (const { name: type, fields } of flex?.types() ?? []) {
    for (const values of (await flex?.all(type)) ?? [])
      found.push({ type, id: values._id, fields, values, lang });
  }
  return found;
}

/** The line of a field's first key. */
async function lineOf(file: string, field: string): Promise<number> {
  const [key = ""] = field.split(".");
  const text = await readFile(file, "utf8").catch(() => "");
  return Math.max(text.split(/\r?\n/).findIndex((line) => line.startsWith(`${key}:`)) + 1, 1);
}
