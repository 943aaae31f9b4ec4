import { createHash } from "node:crypto";
import {
  expectEach,
  expectFields,
  expectKind,
  expectOptional,
  expectValues,
  isRecord,
  type ValueCheck,
  type SiteContext,
} from "#kernel";
import type {
  ContentView,
  PageEntry,
  RolesRule,
  Viewer,
  Generation,
  Blueprints,
  Field,
} from "../../content/contract.js";
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
    facets: readFacets(path, facets),
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
      .map(([name, value]) => [name, toTexts(value).join(" ")] as const)
      .filter(([, text]) => text !== ""),
  );
}

function pageFacets(entry: PageEntry, facets: SearchSection["facets"]): Record<string, string[]> {
  const { template, taxonomy, lang } = entry;
  return readFacets({ ...entry.frontmatter, template, taxonomy, lang }, facets);
}

function readFacets(
  source: Readonly<Record<string, unknown>>,
  facets: SearchSection["facets"],
): Record<string, string[]> {
  const byField = facets.map(({ field }): [string, string[]] => [
    field,
    [...new Set(toTexts(atPath(source, field)))],
  ]);
  return Object.fromEntries(byField.filter(([, values]) => values.length > 0));
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
function toTexts(value: unknown): string[] {
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
    Object.entries(fields).map(([name, value]) => [name, toTexts(value).join(" ")]),
  );
}

function uniqueValues(
  taxonomy: Readonly<Record<string, readonly string[]>>,
): Record<string, string[]> {
  return Object.fromEntries(
    Object.entries(taxonomy).map(([name, values]): [string, string[]] => [
      name,
      [...new Set(toTexts(values))],
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

/** The origin of a document. */
export type Source = PageSource | RecordSource;
/** A page, and the languages whose readers get it; none on a site with one language. */
export interface PageSource {
  kind: "page";
  entry: PageEntry;
  readers: readonly string[];
  /** Its modules that everybody sees who sees the page: their texts are found at its address. */
  parts: readonly PageEntry[];
  /** A fingerprint of how its page types define text and terms; see `TemplateRules`. */
  rules: string;
}

/** Returns the previous source if all indexed fields of the page are equal. */
export function unchangedSource(
  before: Source | undefined,
  { entry, readers, parts, rules }: PageSource,
): Source | null {
  if (before?.kind !== "page" || String(before.readers) !== String(readers)) return null;
  if (before.rules !== rules) return null;
  if (partsPrint(before.parts) !== partsPrint(parts)) return null;
  if (before.entry === entry) return before;
  const names = ["hash", "sourcePath", "template", "title", "date", "lang"] as const;
  const isSame = names.every((name) => before.entry[name] === entry[name]);
  return isSame && accessKey(before.entry.roles) === accessKey(entry.roles) ? before : null;
}

/** The fields of a document that a result shows. */
export type ShownFields = Pick<DocumentHead, "route" | "title" | "template" | "date" | "taxonomy">;

/** The fields that a result shows, of a page or of a record. */
export function shownFields(source: Source): ShownFields {
  if (source.kind === "record") return source.document;
  const { url, title, template, date, taxonomy } = source.entry;
  return { route: url, title, template, date, taxonomy };
}

const NONE: readonly PageEntry[] = Object.freeze([]);

/** Finds the modules whose texts are searched as part of their page. */
export class SearchableModules {
  readonly #site: Pick<SiteContext, "use">;
  #generation: Generation | null = null;
  #hasAny = false;

  constructor(site: Pick<SiteContext, "use">) {
    this.#site = site;
  }

  /** The modules that everybody sees who sees the page: without roles, or with those of the page. */
  of(page: PageEntry): readonly PageEntry[] {
    if (!this.#exist()) return NONE;
    const roles = page.roles === null ? null : [...page.roles.all, ...page.roles.any];
    const view = this.#site.use("content").view({ roles, seesUnpublished: false });
    const key = accessKey(page.roles);
    return view.modules(page).filter(({ roles: rule }) => ["", key].includes(accessKey(rule)));
  }

  /** Most sites have no modules, and this is called for every page. */
  #exist(): boolean {
    const generation = this.#site.use("content").generation();
    if (generation === this.#generation) return this.#hasAny;
    this.#generation = generation;
    this.#hasAny = generation.entries.some(({ isModule }) => isModule);
    return this.#hasAny;
  }
}

/** A fingerprint of modules, which differs when a module or their order does. */
export function partsPrint(parts: readonly PageEntry[]): string {
  return parts.map(({ sourcePath, hash }) => `${sourcePath} ${hash.slice(0, 20)}`).join("\n");
}

/** Fingerprints of how page types define the text and the terms of their pages. */
export class TemplateRules {
  readonly #site: Pick<SiteContext, "use">;
  readonly #known = new Map<string, string>();
  #version = -1;

  constructor(site: Pick<SiteContext, "use">) {
    this.#site = site;
  }

  /** Returns the fingerprint of these pages; empty when they have neither blocks nor fields with terms. */
  of(pages: readonly PageEntry[]): string {
    const { blueprints } = this.#site.use("content");
    if (blueprints.version !== this.#version) {
      this.#known.clear();
      this.#version = blueprints.version;
    }
    return pages.map(({ template }) => this.#rules(template, blueprints)).join("");
  }

  #rules(template: string, blueprints: Blueprints): string {
    const print = this.#known.get(template) ?? fingerprint(template, blueprints);
    this.#known.set(template, print);
    return print;
  }
}

function fingerprint(template: string, blueprints: Blueprints): string {
  const fields = blueprints.of(template)?.fields ?? [];
  const terms = fields.flatMap(({ name, more }) => (more["from"] ? [[name, more["from"]]] : []));
  const hasBlocks = fields.some(({ type }) => type === "blocks");
  if (!hasBlocks && terms.length === 0) return "";
  const blocks = blueprints.blocks().map(({ name, fields: nested }) => [name, outline(nested)]);
  const rules = JSON.stringify([terms, hasBlocks && [outline(fields), blocks]]);
  return createHash("sha1").update(rules).digest("base64url").slice(0, 12);
}

function outline(fields: readonly Field[]): unknown[] {
  return fields.map(({ name, type, fields: nested }) => [name, type, outline(nested)]);
}

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
  const sources = new Map<string, RecordSource>();
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
    } else if (!sources.has(record.route)) {
      const document = recordDocument(record, facets);
      sources.set(record.route, { kind: "record", record, document });
    }
  }
  return sources;
}

/** True when all indexed values of a record are equal. */
export function isSameRecord(a: RecordSource, b: RecordSource): boolean {
  return JSON.stringify(a.document) === JSON.stringify(b.document);
}
