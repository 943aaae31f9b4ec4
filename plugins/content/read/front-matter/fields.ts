/** Converts front matter fields to the types of the index and reports invalid values. */
import { isEmpty } from "#lib/fields";
import { parseMoment, readDate } from "#lib/dates";
import type { WorkflowStatus } from "../../contract.js";
import { toLocation, normaliseRoute } from "../../view/address.js";
import { toSlug } from "../source-name.js";
import type { TermField } from "../../index/tree-nodes.js";
import type { SourceIssue } from "./front-matter.js";
import { isMap } from "./full-yaml.js";
import {
  buildOption,
  toFlag,
  isSwitchedOff,
  nearHidingKeys,
  SCHEDULE_KEYS,
} from "./hiding-keys.js";

type FrontMatterMap = Readonly<Record<string, unknown>>;

const OFF = "the page is off the site";
const statuses: readonly string[] = ["draft", "in_review", "published", "archived"];

/** The value of a switch that is not true or false in the file. */
interface FlagDefaults {
  /** Without the key, and for null. */
  readonly absent: boolean;
  /** Returned for a value that is neither true nor false. */
  readonly whenInvalid: boolean;
}

/** Reads the fields of one page and collects their problems. */
export class Fields {
  readonly warnings: SourceIssue[] = [];
  readonly #map: FrontMatterMap;

  constructor(map: FrontMatterMap) {
    this.#map = map;
  }

  /** A string; numbers and booleans are converted as written. */
  text(key: string): string | null {
    const value = this.#map[key];
    if (value === undefined || value === null || value === "") return null;
    if (typeof value === "string") return value;
    if (typeof value === "number" || typeof value === "boolean") return String(value);
    return this.#ignore(key, "a text");
  }

  /** True or false. */
  flag(key: string, { absent, whenInvalid }: FlagDefaults): boolean {
    const value = this.#map[key];
    if (value === undefined || value === null) return absent;
    const flag = toFlag(value);
    if (flag === null) this.#ignore(key, "true or false", `it counts as ${whenInvalid}`);
    return flag ?? whenInvalid;
  }

  number(key: string): number | null {
    const value = this.#map[key];
    if (value === undefined || value === null) return null;
    if (typeof value === "number" && Number.isFinite(value)) return value;
    return this.#ignore(key, "a number");
  }

  date(): string | null {
    const value = this.#map.date;
    if (value === undefined || value === null || value === "") return null;
    const date = parseDate(value);
    if (date !== null) return date;
    const day = leadingDay(value);
    const effect = day === null ? undefined : `only the day ${day} counts`;
    this.#ignore("date", "a date such as 2026-05-01 or 2026-05-01 08:30", effect);
    return day;
  }

  /** Unix ms of a `date` with a time of day; null for a date without time or an invalid value. */
  dateMoment(timezone: string): number | null {
    const { date } = this.#map;
    const hasTime = (readDate(date)?.time ?? null) !== null;
    return hasTime ? parseMoment(date, timezone) : null;
  }

  /** Unix ms, null without the field, "invalid" for an invalid value. The first of its names that has a value counts. */
  moment(name: keyof typeof SCHEDULE_KEYS, timezone: string): number | null | "invalid" {
    const key = SCHEDULE_KEYS[name].find((each) => !isEmpty(this.#map[each])) ?? name;
    const value = this.#map[key];
    if (isEmpty(value)) return null;
    const time = parseMoment(value, timezone);
    if (time === null) this.#ignore(key, "a date or YYYY-MM-DDTHH:MM", OFF);
    return time ?? "invalid";
  }

  /** The editorial status; an unknown one counts as draft, so that it does not publish the page. */
  status(isPublished: boolean): WorkflowStatus {
    const value = this.#map.status;
    if (value === undefined || value === null) return isPublished ? "published" : "draft";
    const status =
      typeof value === "string"
        ? value
            .trim()
            .toLowerCase()
            .replace(/[\s-]+/g, "_")
        : "";
    if (isStatus(status)) return status;
    this.#ignore("status", statuses.join(", "), "it counts as draft");
    return "draft";
  }

  /**
   * True when the page is marked as not public: `published: false`, `draft: true`, `build.render: never`, a switch
   * of another system, or a key that is almost one of those, which is reported.
   */
  isHidden(): boolean {
    const isPublished = this.flag("published", { absent: true, whenInvalid: false });
    const isDraft = this.flag("draft", { absent: false, whenInvalid: true });
    const near = nearHidingKeys(this.#map);
    for (const { key, meant } of near) {
      const what =
        meant === null
          ? "limits who sees a page in other systems"
          : `is almost ${JSON.stringify(meant)}`;
      const fix = meant === null ? "is replaced by published, status or roles" : "is corrected";
      const message = `front matter: the key ${JSON.stringify(key)} ${what}; ${OFF} until it ${fix} or has another name`;
      this.warnings.push({ code: "ERR_CONTENT_FIELD_NAME", message, key });
    }
    const isUnbuilt = this.#build("render");
    return !isPublished || isDraft || near.length > 0 || isUnbuilt || isSwitchedOff(this.#map);
  }

  /** True for `unlisted: true`, `hidden: true`, `build.list: never`, or the word of Eleventy for them. */
  isUnlisted(): boolean {
    const rule = { absent: false, whenInvalid: true };
    const [unlisted, hidden] = [this.flag("unlisted", rule), this.flag("hidden", rule)];
    const isExcluded = this.#map["eleventyExcludeFromCollections"] === true;
    return unlisted || hidden || isExcluded || this.#build("list");
  }

  /** An option of `build` or `_build`; one that cannot be read counts as `never`. */
  #build(option: "render" | "list"): boolean {
    const isOff = buildOption(this.#map, option);
    if (isOff !== "invalid") return isOff;
    const key = this.#map["_build"] === undefined ? "build" : "_build";
    this.#ignore(key, `a map such as { ${option}: always }`, "it counts as never");
    return true;
  }

  /** A name of letters, digits, `_` and `-`; it becomes part of file names. */
  template(): string | null {
    const name = this.text("template");
    if (name === null || /^[\w-]+$/.test(name)) return name;
    return this.#ignore("template", "a name of letters, digits, _ and -");
  }

  slug(): string | null {
    const text = this.text("slug");
    if (text === null) return null;
    const slug = toSlug(text.trim());
    if (isSegment(slug)) return slug;
    return this.#ignore("slug", "one segment of a path");
  }

  redirect(): string | null {
    const target = this.text("redirect");
    if (target === null || toLocation(target) !== null) return target;
    return this.#ignore("redirect", "a path on this site or an http(s) URL");
  }

  /** Reports an invalid `routes.canonical`, which is ignored. */
  canonical(): void {
    const { routes } = this.#map;
    const canonical = isMap(routes) ? (routes.canonical ?? null) : null;
    if (canonical === null) return;
    if (typeof canonical === "string" && toLocation(canonical.trim()) !== null) return;
    this.#warn({ "routes.canonical": canonical }, "a path on this site or an http(s) URL");
  }

  /** Reports `roles` without a role, because the author may expect restricted access. */
  emptyRoles(): void {
    if (this.#map.roles !== "" && this.#map.roles !== null) return;
    this.#ignore("roles", "a role, a list of roles, or any", "everybody may read the page");
  }

  /** `routes.aliases`, as routes. */
  aliases(): string[] {
    const routes = this.#map.routes;
    if (!isMap(routes)) return [];
    const list: unknown[] = Array.isArray(routes.aliases) ? routes.aliases : [routes.aliases];
    return list
      .filter((alias): alias is string => typeof alias === "string" && alias !== "")
      .map(normaliseRoute);
  }

  /** Taxonomy names to their values, without duplicates; `more`: fields that have values too. */
  taxonomy(more: readonly TermField[] = []): Record<string, readonly string[]> {
    const value = this.#map.taxonomy ?? {};
    const lists = isMap(value) ? value : {};
    if (!isMap(value)) this.#ignore("taxonomy", "a map of names to values");
    const terms = new Map(Object.entries(lists).map(([name, list]) => [name, toTerms(list)]));
    for (const [field, name] of more) {
      const added = Object.hasOwn(this.#map, field) ? toTerms(this.#map[field]) : [];
      if (added.length > 0) terms.set(name, toTerms([...(terms.get(name) ?? []), ...added]));
    }
    return Object.fromEntries(terms);
  }

  /** Warns about a value and its effect. */
  #ignore(key: string, expected: string, effect = "it is ignored"): null {
    this.#warn({ [key]: this.#map[key] }, expected, effect);
    return null;
  }

  #warn(field: Record<string, unknown>, expected: string, effect = "it is ignored"): void {
    for (const [key, value] of Object.entries(field)) {
      const shown = JSON.stringify(value).slice(0, 80);
      const message = `front matter: ${key} is ${shown}, expected ${expected}; ${effect}`;
      this.warnings.push({ code: "ERR_CONTENT_FIELD", message, key });
    }
  }
}

function isStatus(value: string): value is WorkflowStatus {
  return statuses.includes(value);
}

function isSegment(slug: string): boolean {
  // oxlint-disable-next-line no-control-regex -- a control character has no place in an address
  return slug !== "" && slug !== "." && slug !== ".." && !/[/\\\u0000-\u001f\u007f]/.test(slug);
}

/** The values of one taxonomy field: a text, a number, or a list of them. */
export function toTerms(value: unknown): readonly string[] {
  const list: unknown[] = Array.isArray(value) ? value : [value];
  const terms = list
    .filter((term) => typeof term === "string" || typeof term === "number")
    .map((term) => String(term).trim())
    .filter((term) => term !== "");
  return terms.length > 1 ? [...new Set(terms)] : terms;
}

/** A front matter date as YYYY-MM-DD, as it is written; null for what is no date. */
export function parseDate(value: unknown): string | null {
  const date = readDate(value);
  if (date === null) return null;
  const [month, day] = [date.month, date.day].map((part) => String(part).padStart(2, "0"));
  return `${String(date.year).padStart(4, "0")}-${month}-${day}`;
}

/** The day that a date begins with although the rest of it cannot be read; null for anything else. */
function leadingDay(value: unknown): string | null {
  return typeof value === "string" ? parseDate(/^\s*([\d/-]+)[T\s]/.exec(value)?.[1]) : null;
}
