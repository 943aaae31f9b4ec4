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
  const plugins = new Map<unknown, string>();
  const { records } = await site.hooks.run(
    "onSearchRecordsCollect",
    { records: [] },
    (plugin, data) => {
      for (const record of data.records) if (!plugins.has(record)) plugins.set(record, plugin);
    },
  );
  const { facets } = site.settings.system.search;
  const found = new Map<string, RecordSource>();
  for (const record of records) {
    const problem = searchRecordProblem(record);
    if (problem !== null) {
      const route: unknown = record?.route;
      site.log.warn("search.record_rejected", {
        by: plugins.get(record),
        problem,
        ...(typeof route === "string" && { route }),
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
