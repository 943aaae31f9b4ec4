import { zoneDay } from "#lib/dates";
import type { CollectionItem } from "../content/contract.js";
import type { SearchRecord } from "../search/contract.js";
import type { FlexRecord, FlexType } from "./contract.js";

/** The place of a record in a collection. */
interface ItemPlace {
  readonly lang: string;
  /** Position in the list, from 0. */
  readonly index: number;
  /** IANA zone of the day on which the record was created. */
  readonly timezone: string;
}

/** A record as a collection lists it: shaped like a page, its fields as front matter. */
export function toCollectionItem(
  type: FlexType,
  record: FlexRecord,
  position: ItemPlace,
): CollectionItem {
  const route = recordRoute(record);
  const title = recordTitle(type, record);
  return {
    sourcePath: `flex-objects/${type.name}/${record._id}.yaml`,
    folder: `flex-objects/${type.name}`,
    route,
    url: route,
    lang: position.lang,
    format: "yaml",
    template: "flex",
    title,
    navTitle: title,
    date: recordDay(record, position.timezone),
    status: "published",
    published: true,
    publishAt: null,
    unpublishAt: null,
    visible: false,
    routable: true,
    isModule: false,
    order: position.index,
    depth: 2,
    parent: `/flex/${type.name}`,
    taxonomy: {},
    roles: null,
    aliases: [],
    frontmatter: record,
    hash: `${record._id}-${record._updatedAt}`,
    mtimeMs: record._updatedAt,
    size: 0,
    bodyOffset: 0,
  };
}

/** Options of a record for search. */
interface SearchRecordOptions {
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
    const text = kind === "color" || kind === "file" ? "" : joinTexts(record[name]);
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

function joinTexts(value: unknown): string {
  if (typeof value === "string") return value;
  if (!Array.isArray(value)) return "";
  return value.filter((item) => typeof item === "string").join(" ");
}

/** The title of a record: its name or title, else its first text, else its id. */
export function recordTitle(type: FlexType, record: FlexRecord): string {
  const firstText = type.fields.find((field) => field.type === "text")?.name ?? "";
  for (const field of ["name", "title", firstText]) {
    const value = record[field];
    if (typeof value === "string" && value !== "") return value;
  }
  return record._id;
}

/** Dates end at ±8.64e15 ms; no zone is a day away from UTC. */
const MAX_TIME = 8.64e15 - 86_400_000;

/** Creation day of a record in the site's zone as YYYY-MM-DD; null for an invalid time. */
export function recordDay({ _createdAt: time }: FlexRecord, timezone: string): string | null {
  return Math.abs(time) <= MAX_TIME ? zoneDay(time, timezone) : null;
}

/** Public address of a record. */
export function recordRoute({ _type, _id }: FlexRecord): string {
  return `/flex/${_type}/${_id}`;
}
