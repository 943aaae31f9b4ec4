import type { SearchRecord } from "../search/contract.js";
import type { FlexRecord, FlexType } from "./contract.js";
import { recordDay, recordRoute, recordTitle } from "./records/record-title.js";

/** What a record for search needs of the site. */
export interface SearchRecordOptions {
  readonly plainText: (markdown: string) => string;
  /** IANA zone of the day on which the record was created. */
  readonly timezone: string;
}

/**
 * A record for search: its body is all texts and lists of texts. `plainText` strips Markdown
 * syntax.
 */
export function toSearchRecord(
  type: FlexType,
  record: FlexRecord,
  { plainText, timezone }: SearchRecordOptions,
): SearchRecord {
  const texts = type.fields.flatMap(({ name, type: kind }) => {
    const text = kind === "color" || kind === "file" ? "" : textOf(record[name]);
    if (text === "") return [];
    return [[name, kind === "markdown" ? plainText(text) : text] as const];
  });
  return {
    route: recordRoute(record),
    title: recordTitle(type, record),
    body: texts.map(([, text]) => text).join("\n"),
    fields: { ...Object.fromEntries(texts), subtype: type.name },
    template: "flex",
    date: recordDay(record, timezone),
    type: type.name,
  };
}

function textOf(value: unknown): string {
  if (typeof value === "string") return value;
  if (!Array.isArray(value)) return "";
  return value.filter((item) => typeof item === "string").join(" ");
}
