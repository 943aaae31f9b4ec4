/** Front matter that most generators share, in the words of this project. */
import { isRecord } from "#kernel";

type Data = Readonly<Record<string, unknown>>;

/** Keys that are read here or by a source; every other one goes to `custom`. */
const READ: ReadonlySet<string> = new Set(
  (
    "title date publishdate published_at pubdate lastmod updated draft published status tags tag categories category " +
    "description summary excerpt author authors weight order nav_order sidebar_position slug url permalink aliases alias " +
    "redirect_from image cover cover_image featured_image images thumbnail header linktitle sidebar_label nav_title layout " +
    "type id template taxonomy metadata routes expirydate unpublish_date publish_date visible nav_title eleventynavigation"
  ).split(" "),
);
const IMAGES = [
  "image",
  "cover",
  "cover_image",
  "featured_image",
  "featuredImage",
  "thumbnail",
  "images",
  "header",
];

/** Front matter of a page; empty values are left out later. */
export function commonMatter(data: Data, now: number): Record<string, unknown> {
  const first = (...keys: string[]): unknown =>
    keys.map((key) => data[key]).find((value) => value !== undefined);
  return {
    title: text(data["title"]),
    nav_title: text(first("linkTitle", "sidebar_label", "nav_title")),
    date: dateOf(first("date", "publishDate", "pubDate")),
    ...statusOf(data, now),
    author: authorOf(first("author", "authors")),
    taxonomy: {
      category: wordsOf(first("categories", "category")),
      tag: wordsOf(first("tags", "tag")),
    },
    summary: text(first("summary", "excerpt", "description")),
    metadata: { description: text(data["description"]) },
    custom: customOf(data),
  };
}

/** The main picture; null without one. */
export function imageOf(data: Data): string | null {
  for (const key of IMAGES) {
    const value = data[key];
    const one: unknown = Array.isArray(value) ? value[0] : value;
    const found = isRecord(one) ? (one["image"] ?? one["src"] ?? one["url"] ?? one["teaser"]) : one;
    if (typeof found === "string" && found !== "") return found;
  }
  return null;
}

/** A number, from 0 to 9999; null for anything else. */
export function positionOf(...values: unknown[]): number | null {
  for (const value of values) {
    const number = typeof value === "string" ? Number(value) : value;
    if (typeof number === "number" && Number.isFinite(number) && number >= 0 && number < 10_000)
      return Math.floor(number);
  }
  return null;
}

/** Texts of a list, or of a text with commas. */
export function wordsOf(value: unknown): string[] {
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

/** A date with its time of day and its offset from UTC, if it has them; midnight without an offset is a day. */
export function dateOf(value: unknown): string | null {
  const { day, time, offset } = partsOf(value);
  if (day === undefined) return null;
  if (time === undefined || time === "00:00") return day;
  return offset === undefined ? `${day} ${time}` : `${day}T${time}${offset}`;
}

/** A moment for `publish_date`: without an offset it is in the time zone of the site. */
function momentOf(value: unknown): string | null {
  const { day, time, offset = "" } = partsOf(value);
  if (day === undefined) return null;
  return time === undefined ? day : `${day}T${time}${offset}`;
}

const DATE =
  /^(?<day>\d{4}-\d{2}-\d{2})(?:[T ](?<time>\d{2}:\d{2})(?::\d{2}(?:\.\d+)?)? ?(?<offset>Z|[+-]\d{2}:?\d{2})?)?/i;

function partsOf(value: unknown): { day?: string; time?: string; offset?: string } {
  const given = value instanceof Date ? value.toISOString() : value;
  const parts = typeof given === "string" ? DATE.exec(given.trim())?.groups : undefined;
  const offset = parts?.["offset"]?.toUpperCase().replace(/^([+-]\d{2}):?(\d{2})$/, "$1:$2");
  return { ...parts, ...(offset !== undefined && { offset }) };
}

function statusOf(data: Data, now: number): Record<string, unknown> {
  const publish = momentOf(data["publishDate"] ?? data["publish_date"]);
  return {
    status: isSwitch(data["draft"], ON) ? "draft" : null,
    published: isSwitch(data["published"], OFF) ? false : null,
    publish_date: publish !== null && Date.parse(publish) > now ? publish : null,
    unpublish_date: momentOf(data["expiryDate"] ?? data["unpublish_date"]),
  };
}

/** The switches of YAML 1.1, which other systems read. */
const ON = /^(?:true|yes|on|y|1)$/i;
const OFF = /^(?:false|no|off|n|0)$/i;

function isSwitch(value: unknown, words: RegExp): boolean {
  return ["boolean", "string", "number"].includes(typeof value) && words.test(String(value));
}

function authorOf(value: unknown): string | null {
  const one: unknown = Array.isArray(value) ? value[0] : value;
  return text(isRecord(one) ? one["name"] : one);
}

function customOf(data: Data): Record<string, unknown> {
  return Object.fromEntries(Object.entries(data).filter(([key]) => !READ.has(key.toLowerCase())));
}
