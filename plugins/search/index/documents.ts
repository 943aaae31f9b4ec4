import {
  expectEach,
  expectFields,
  expectKind,
  expectOptional,
  expectValues,
  isRecord,
  type ValueCheck,
} from "#kernel";
import type { ContentView, PageEntry, RolesRule, Viewer } from "../../content/contract.js";
import type { SearchDocument, SearchRecord, SearchSection } from "../contract.js";

/** A document before its text is read. */
export type DocumentHead = Omit<SearchDocument, "body">;

/** The searchable fields of a page besides its text. */
export function pageDocument(entry: PageEntry, section: SearchSection): DocumentHead {
  return {
    route: entry.url,
    title: entry.title,
    template: entry.template,
    date: entry.date,
    taxonomy: uniqueValues(entry.taxonomy),
    lang: entry.lang,
    fields: pageFields(entry, section.customFields),
    facets: pageFacets(entry, section.facets),
    access: accessKey(entry.roles),
  };
}

/** Converts a contributed record to a document. */
export function recordDocument(
  record: SearchRecord,
  facets: SearchSection["facets"],
): SearchDocument {
  const template = record.template ?? "page";
  const taxonomy = uniqueValues(record.taxonomy ?? {});
  const fields = record.fields ?? {};
  const subtype = own(fields, "subtype") ?? record.type;
  const path = { template, taxonomy, ...fields, subtype };
  return {
    route: record.route,
    title: record.title,
    body: record.body,
    fields: { template, ...strings(fields) },
    template,
    date: isDay(record.date) ? record.date : null,
    taxonomy,
    lang: record.lang ?? "",
    facets: facetsOf(path, facets),
    access: "",
  };
}

const text = expectKind("string");

/** Returns the problem of a contributed record; an invalid one would break every engine. */
export const searchRecordProblem: ValueCheck = expectFields({
  route: (value) =>
    text(value) ??
    (String(value).startsWith("/")
      ? null
      : `expected a path such as /events/1, received ${JSON.stringify(value)}`),
  title: text,
  body: text,
  fields: expectOptional(expectValues(text)),
  template: ["string", "nothing"],
  date: ["string", "null", "nothing"],
  taxonomy: expectOptional(expectValues(expectEach(text))),
  lang: ["string", "nothing"],
  type: ["string", "nothing"],
});

/** The key of a role rule: empty if public, equal for equal rules. */
export function accessKey(roles: RolesRule | null): string {
  if (roles === null) return "";
  return JSON.stringify({ all: [...roles.all].sort(), any: [...roles.any].sort() });
}

function pageFields(entry: PageEntry, customFields: readonly string[]): Record<string, string> {
  const matter = entry.frontmatter;
  const metadata = matter["metadata"];
  const described =
    matter["description"] ??
    matter["summary"] ??
    (isRecord(metadata) ? own(metadata, "description") : undefined);
  const fields: [string, unknown][] = [
    ["template", entry.template],
    ["description", described],
  ];
  for (const name of customFields) fields.push([name, atPath(matter, name)]);
  return Object.fromEntries(
    fields
      .map(([name, value]) => [name, valuesOf(value).join(" ")] as const)
      .filter(([, text]) => text !== ""),
  );
}

function pageFacets(entry: PageEntry, facets: SearchSection["facets"]): Record<string, string[]> {
  const { template, taxonomy, lang } = entry;
  return facetsOf({ ...entry.frontmatter, template, taxonomy, lang }, facets);
}

function facetsOf(
  source: Readonly<Record<string, unknown>>,
  facets: SearchSection["facets"],
): Record<string, string[]> {
  const found = facets.map(({ field }): [string, string[]] => [
    field,
    [...new Set(valuesOf(atPath(source, field)))],
  ]);
  return Object.fromEntries(found.filter(([, values]) => values.length > 0));
}

/** The value at a dot path; only own properties count. */
function atPath(source: Readonly<Record<string, unknown>>, path: string): unknown {
  let value: unknown = source;
  for (const name of path.split(".")) value = isRecord(value) ? own(value, name) : undefined;
  return value;
}

function own<T>(record: Readonly<Record<string, T>>, name: string): T | undefined {
  return Object.hasOwn(record, name) ? record[name] : undefined;
}

/** Text, numbers and booleans, or lists of them; anything else has no value. */
function valuesOf(value: unknown): string[] {
  const list: unknown[] = Array.isArray(value) ? value : [value];
  return list
    .filter(
      (item) => typeof item === "string" || typeof item === "number" || typeof item === "boolean",
    )
    .map(String)
    .filter((text) => text !== "");
}

function strings(fields: Readonly<Record<string, unknown>>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(fields).map(([name, value]) => [name, valuesOf(value).join(" ")]),
  );
}

function uniqueValues(
  taxonomy: Readonly<Record<string, readonly string[]>>,
): Record<string, string[]> {
  return Object.fromEntries(
    Object.entries(taxonomy).map(([name, values]): [string, string[]] => [
      name,
      [...new Set(valuesOf(values))],
    ]),
  );
}

function isDay(date: string | null | undefined): date is string {
  return typeof date === "string" && /^\d{4}-\d{2}-\d{2}$/.test(date);
}

/** True when readers with the roles of a gated page may see it in lists. */
export function canSomebodySee(view: (viewer: Viewer) => ContentView, entry: PageEntry): boolean {
  const roles = [...(entry.roles?.all ?? []), ...(entry.roles?.any ?? [])];
  return view({ roles, seesUnpublished: false }).isListed(entry);
}
