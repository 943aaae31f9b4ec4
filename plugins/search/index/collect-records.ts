import type { SiteContext } from "#kernel";
import type { SearchDocument, SearchRecord } from "../contract.js";
import { recordDocument, searchRecordProblem } from "./documents.js";

/** A contributed record and its indexed document. */
export interface RecordSource {
  readonly kind: "record";
  readonly record: SearchRecord;
  readonly document: SearchDocument;
}

/** The records that plugins contribute now, by route; the first record of a route wins. */
export async function collectRecords(
  site: Pick<SiteContext, "hooks" | "settings" | "log">,
): Promise<Map<string, RecordSource>> {
  const { records } = await site.hooks.run("onSearchRecordsCollect", { records: [] });
  const { facets } = site.settings.system.search;
  const found = new Map<string, RecordSource>();
  for (const record of records) {
    const problem = searchRecordProblem(record);
    if (problem !== null) {
      site.log.warn("search.record_rejected", {
        problem,
        route: String(record?.route),
        fix: "correct what the handlers of onSearchRecordsCollect add",
      });
    } else if (!found.has(record.route)) {
      const document = recordDocument(record, facets);
      found.set(record.route, { kind: "record", record, document });
    }
  }
  return found;
}

/** True when all indexed values of a record are equal. */
export function isSameRecord(a: RecordSource, b: RecordSource): boolean {
  return JSON.stringify(a.document) === JSON.stringify(b.document);
}
