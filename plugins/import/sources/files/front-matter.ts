/** Reads front matter of other systems, and translates the keys that most generators share. */
import { isRecord } from "#kernel";
import { parseMoment, readDate } from "#lib/dates";
import { readToml } from "#lib/toml";
import { writtenNumbers } from "#lib/fields";
import { readYaml, type YamlDocument } from "#lib/yaml";
import type { SourceInput } from "../../contract.js";
import { authorNames, type AuthorTable } from "../authors.js";
import { parseJsonTexts } from "../read-json.js";

const MAX_LENGTH = 1_048_576;
const YAML = /^---[ \t]*\r?\n([^]*?)(?:^|\n)(?:---|\.\.\.)[ \t]*(?:\r?\n|$)/;
// Zola takes blank lines before it.
const TOML = /^\s*\+\+\+[ \t]*\r?\n([^]*?)\n\+\+\+[ \t]*(?:\r?\n|$)/;
const JSON_MATTER = /^(\{\r?\n[^]*?\n\})[ \t]*(?:\r?\n|$)/;

/** Front matter and text, or why they cannot be read; `line` counts from 1 in the file. */
type Matter =
  | { readonly data: Readonly<Record<string, unknown>>; readonly body: string }
  | { readonly issue: string; readonly line: number };

/**
 * Splits a file with YAML between `---`, TOML between `+++`, or JSON. Texts without front matter have empty data.
 */
export function readMatter(source: string): Matter {
  const text = source.replace(/^\uFEFF/, "");
  for (const [pattern, parse] of FORMATS) {
    const match = pattern.exec(text);
    if (match === null) continue;
    const [whole, matter = ""] = match;
    if (matter.length > MAX_LENGTH)
      return { issue: "the front matter is longer than 1 MB", line: 1 };
    const parsed = parse(matter);
    return "issue" in parsed ? parsed : { data: parsed.data, body: text.slice(whole.length) };
  }
  return { data: {}, body: text };
}

/** The map of a YAML text. */
export function parseYamlMap(
  text: string,
): { data: Record<string, unknown> } | { issue: string; line: number } {
  const document = readYaml(text);
  const { mistake } = document;
  return mistake === null
    ? { data: toMap(yamlValues(document)) }
    : { issue: `invalid YAML: ${mistake.message}; ${mistake.fix}`, line: mistake.line + 1 };
}

/**
 * The values of a document; a number that is written in another way than JavaScript writes it is a text: `1.10`,
 * `0x1F`.
 */
export function yamlValues({ values, texts }: YamlDocument): unknown {
  return writtenNumbers(values, texts);
}

function toMap(value: unknown): Record<string, unknown> {
  return isRecord(value) ? value : {};
}

/** The map of a TOML text; a number that is written in another way than JavaScript writes it is a text. */
export function parseTomlMap(
  text: string,
): { data: Record<string, unknown> } | { issue: string; line: number } {
  const result = readToml(text);
  if ("data" in result) return { data: toMap(writtenNumbers(result.data, result.texts)) };
  return { issue: `invalid TOML: ${result.issue.message}`, line: result.issue.line + 1 };
}

/** The map of a JSON text, with the texts of such numbers. */
export function parseJsonMap(
  text: string,
): { data: Record<string, unknown> } | { issue: string; line: number } {
  try {
    return { data: toMap(parseJsonTexts(text)) };
  } catch {
    return { issue: "invalid JSON", line: 1 };
  }
}

/** A value that begins with a character which YAML reserves: `items: @self.children`. */
const RESERVED = /^([ \t]*(?:-[ \t]+)?(?:[\w.-]+:[ \t]+)?)([@`%][^\n#"]*?)[ \t]*$/gm;

/** Front matter as old parsers accepted it: lines that tabs indent, and values that begin with `@`. */
function parseOldYaml(source: string): ReturnType<typeof parseYamlMap> {
  const parsed = parseYamlMap(source);
  if (!("issue" in parsed)) return parsed;
  const again = parseYamlMap(
    source
      .replaceAll(/^[ \t]+/gm, (indent) => indent.replaceAll("\t", "    "))
      .replaceAll(RESERVED, (_, before: string, value: string) => `${before}"${value}"`),
  );
  return "issue" in again ? parsed : again;
}

const FORMATS = [
  [YAML, parseOldYaml],
  [TOML, parseTomlMap],
  [JSON_MATTER, parseJsonMap],
] as const;

type Data = Readonly<Record<string, unknown>>;

/** Front matter in the words of this project. */
interface CommonMatter {
  /** Empty values are left out later. */
  readonly frontmatter: Record<string, unknown>;
  /** Lists unreadable values for the report. */
  readonly notes: readonly string[];
}

/** Keys that are read here or by a source; every other one goes to `custom`. */
const READ: ReadonlySet<string> = new Set([
  "title",
  "date",
  "publishdate",
  "published_at",
  "pubdate",
  "lastmod",
  "updated",
  "updateddate",
  "lastupdated",
  "last_modified_at",
  "last_update",
  "modified",
  "draft",
  "published",
  "status",
  "tags",
  "tag",
  "categories",
  "category",
  "description",
  "summary",
  "excerpt",
  "author",
  "authors",
  "weight",
  "order",
  "nav_order",
  "sidebar_position",
  "slug",
  "url",
  "permalink",
  "aliases",
  "alias",
  "redirect_from",
  "image",
  "cover",
  "cover_image",
  "featured_image",
  "images",
  "thumbnail",
  "header",
  "heroimage",
  "linktitle",
  "sidebar_label",
  "nav_title",
  "layout",
  "type",
  "id",
  "template",
  "taxonomy",
  "metadata",
  "routes",
  "expirydate",
  "unpublish_date",
  "publish_date",
  "visible",
  "eleventynavigation",
  "publishedat",
  "expires_at",
  "expiresat",
]);
const IMAGES = [
  "image",
  "cover",
  "cover_image",
  "featured_image",
  "featuredImage",
  "thumbnail",
  "images",
  "header",
  "heroImage",
];

/** Switches that stay at the top level, where they hide a page or leave it out of lists. */
const SWITCHES = [
  "unlisted",
  "hidden",
  "build",
  "_build",
  "publish",
  "public",
  "private",
  "isDraft",
  "is_draft",
  "unpublished",
  "headless",
  "eleventyExcludeFromCollections",
];
const IS_SWITCH: ReadonlySet<string> = new Set(SWITCHES.map((key) => key.toLowerCase()));
/** Names of the moments between which a page is public; the first one wins. */
const PUBLISH = ["publishDate", "publish_date", "published_at", "publishedAt"];
const UNPUBLISH = ["expiryDate", "unpublish_date", "expires_at", "expiresAt"];
/** Values of `status` for public pages. */
const PUBLIC = /^(?:published?|public)$/i;
const STATUSES: ReadonlySet<string> = new Set(["draft", "in_review", "archived"]);

/** Front matter of a page. Dates without an offset are in `timezone`. */
export function commonMatter(
  data: Data,
  input: Pick<SourceInput, "now" | "timezone">,
  authors: AuthorTable = new Map(),
): CommonMatter {
  const first = (...keys: string[]): unknown =>
    keys.map((key) => data[key]).find((value) => value !== undefined);
  const written = first("date", "publishDate", "pubDate");
  const changed = first(
    "updated",
    "lastmod",
    "updatedDate",
    "lastUpdated",
    "last_modified_at",
    "last_update",
    "modified",
  );
  const date = parseDate(written);
  const visibility = readVisibility(data, input);
  const frontmatter = {
    title: text(data["title"]),
    nav_title: text(first("linkTitle", "sidebar_label", "nav_title")),
    date,
    // A switch shows or hides the date of the last change.
    updated: typeof changed === "boolean" ? null : parseDate(changed),
    ...visibility.frontmatter,
    author: authorNames(first("authors", "author"), authors),
    taxonomy: {
      category: parseWords(first("categories", "category")),
      tag: parseWords(first("tags", "tag")),
    },
    summary: text(first("summary", "excerpt", "description")),
    metadata: { description: text(data["description"]) },
    custom: pickCustom(data),
  };
  const isLost = date === null && !isEmpty(written);
  const lost = isLost ? [`its date ${JSON.stringify(written)} cannot be read`] : [];
  return { frontmatter, notes: [...lost, ...visibility.notes] };
}

/** The main picture; null without one. */
export function readImage(data: Data): string | null {
  for (const key of IMAGES) {
    const value = data[key];
    const one: unknown = Array.isArray(value) ? value[0] : value;
    const address = isRecord(one)
      ? (one["image"] ?? one["src"] ?? one["url"] ?? one["teaser"])
      : one;
    if (typeof address === "string" && address !== "") return address;
  }
  return null;
}

/** A number, from 0 to 9999; null for anything else. */
export function parsePosition(...values: unknown[]): number | null {
  for (const value of values) {
    const number = typeof value === "string" ? Number(value) : value;
    if (typeof number === "number" && Number.isFinite(number) && number >= 0 && number < 10_000)
      return Math.floor(number);
  }
  return null;
}

/** Texts of a list, or of a text with commas. */
export function parseWords(value: unknown): string[] {
  const list: unknown[] = Array.isArray(value)
    ? value
    : typeof value === "string"
      ? value.split(",")
      : [];
  const words = list.flatMap((one) =>
    typeof one === "string" || typeof one === "number" ? [String(one).trim()] : [],
  );
  return [...new Set(words.filter((word) => word !== ""))];
}

/** A list of addresses, or one. */
export function listOf(value: unknown): string[] {
  const list: unknown[] = Array.isArray(value) ? value : [value];
  return list.filter((one): one is string => typeof one === "string" && one !== "");
}

/** A text; null for anything else. */
export function text(value: unknown): string | null {
  if (typeof value === "number") return String(value);
  return typeof value === "string" && value.trim() !== "" ? value.trim() : null;
}

/** A date as this project writes it: with its offset from UTC if it has one; midnight without an offset is a day. */
export function parseDate(value: unknown): string | null {
  const date = readDate(value instanceof Date ? value.toISOString() : toIsoDate(value));
  if (date === null) return null;
  const day = `${padded(date.year, 4)}-${padded(date.month)}-${padded(date.day)}`;
  const { hour, minute, second } = date.time ?? { hour: 0, minute: 0, second: 0 };
  const clock = [hour, minute, ...(second === 0 ? [] : [second])];
  const time = clock.map((part) => padded(part)).join(":");
  if (date.offset !== null) return `${day}T${time}${zoneText(date.offset)}`;
  return time === "00:00" ? day : `${day} ${time}`;
}

/** `Jul 08 2022`, `8 July 2022` and `July 8, 2022 8:30 AM`: the month as an English word. */
const WORDED =
  /^(?:[A-Z][a-z]{2,8},? )?(?:[A-Z][a-z]{2,8} \d{1,2},? \d{4}|\d{1,2} [A-Z][a-z]{2,8},? \d{4})(?:,? \d{1,2}:\d{2}(?::\d{2})?(?: ?[AP]M)?)?$/;

/** A date with the month as a word as its author's clock showed it, in figures; any other value as it is. */
function toIsoDate(value: unknown): unknown {
  if (typeof value !== "string" || !WORDED.test(value.trim())) return value;
  // In UTC, so that the zone of this machine changes nothing.
  const time = Date.parse(`${value.trim()} UTC`);
  return Number.isNaN(time) ? value : new Date(time).toISOString().slice(0, 19);
}

function zoneText(offset: number): string {
  if (offset === 0) return "Z";
  const minutes = Math.abs(offset) / 60_000;
  const sign = offset < 0 ? "-" : "+";
  return `${sign}${padded(Math.floor(minutes / 60))}:${padded(minutes % 60)}`;
}

function padded(number: number, digits = 2): string {
  return String(number).padStart(digits, "0");
}

/** The keys that decide who sees a page, in any case. What cannot be read keeps the page a draft. */
function readVisibility(
  data: Data,
  { now, timezone }: Pick<SourceInput, "now" | "timezone">,
): CommonMatter {
  const written = Object.entries(data).filter(([, value]) => !isEmpty(value));
  const values = new Map(written.map(([key, value]) => [key.toLowerCase(), value]));
  const notes: string[] = [];
  const holdBack = (key: string, value: unknown, problem: string): void =>
    void notes.push(`${key} is ${JSON.stringify(value)}, ${problem}: the page is a draft`);
  const findMoment = (names: readonly string[]): string | null => {
    const key = names.find((name) => values.has(name.toLowerCase()));
    if (key === undefined) return null;
    const value = values.get(key.toLowerCase());
    const moment = parseDate(value);
    if (moment === null) holdBack(key, value, "which is no date that can be read");
    return moment;
  };
  const publish = findMoment(PUBLISH);
  const unpublish = findMoment(UNPUBLISH);
  const status = parseStatus(values.get("status"));
  if (status === "unknown") holdBack("status", values.get("status"), "which has no counterpart");
  const isMarked = written.some(([key, value]) => /^draft$/i.test(key) && isSwitch(value, ON));
  const isDraft = isMarked || notes.length > 0;
  const switches = SWITCHES.map((key): [string, unknown] => [key, values.get(key.toLowerCase())]);
  const frontmatter = {
    status: isDraft ? "draft" : status,
    published: isSwitch(values.get("published"), OFF) ? false : null,
    publish_date: publish !== null && (parseMoment(publish, timezone) ?? 0) > now ? publish : null,
    unpublish_date: unpublish,
    ...Object.fromEntries(switches),
    // Eleventy: a page without an address.
    permalink: isSwitch(values.get("permalink"), OFF) ? false : null,
  };
  return { frontmatter, notes };
}

/** Null for a public page, or one without a status. */
function parseStatus(value: unknown): string | null {
  if (isEmpty(value)) return null;
  const word = typeof value === "string" ? value.trim().toLowerCase() : "";
  if (PUBLIC.test(word)) return null;
  const name = word.replace(/[\s-]+/g, "_");
  return STATUSES.has(name) ? name : "unknown";
}

function isEmpty(value: unknown): boolean {
  return value === undefined || value === null || value === "";
}

/** The switches of YAML 1.1, which other systems read. */
const ON = /^(?:true|yes|on|y|1)$/i;
const OFF = /^(?:false|no|off|n|0)$/i;

function isSwitch(value: unknown, words: RegExp): boolean {
  return ["boolean", "string", "number"].includes(typeof value) && words.test(String(value).trim());
}

function pickCustom(data: Data): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(data).filter(
      ([key]) => !READ.has(key.toLowerCase()) && !IS_SWITCH.has(key.toLowerCase()),
    ),
  );
}
