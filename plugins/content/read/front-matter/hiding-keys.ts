/** Keys and switches of front matter that decide who sees a page: ours, those of other systems, and those that are almost one. */
import { HttpError } from "#kernel";
import { readDate } from "#lib/dates";
import type { WorkflowStatus } from "../../contract.js";
import { isMap } from "./full-yaml.js";

type FrontMatterMap = Readonly<Record<string, unknown>>;

/** A key that keeps a page off the site until it is corrected. */
export interface NearKey {
  readonly key: string;
  /** The key that it is close to; null for a key of another system that says who sees a page. */
  readonly meant: string | null;
}

type Fits = (value: unknown) => boolean;

const isFlag: Fits = (value) => toFlag(value) !== null;
const isOn: Fits = (value) => toFlag(value) === true;
const isOff: Fits = (value) => toFlag(value) === false;
const isText: Fits = (value) => typeof value === "string";
const isDate: Fits = (value) => readDate(value) !== null;
const anyWord = (words: readonly string[]): Fits => {
  const accepted = new Set(words);
  return (value) => typeof value === "string" && accepted.has(bareWord(value));
};

/** Names of other systems for `publish_date` and `unpublish_date`; ours wins beside them. */
export const SCHEDULE_KEYS = {
  publish_date: ["publish_date", "publishDate", "published_at", "publishedAt"],
  unpublish_date: ["unpublish_date", "expiryDate", "expires_at", "expiresAt"],
} as const;

const SCHEDULE_NAMES: ReadonlySet<string> = new Set(Object.values(SCHEDULE_KEYS).flat());

/** Switches of other systems, and the value with which they keep a page off the site. */
const OTHER_SWITCHES: readonly (readonly [key: string, hides: Fits])[] = [
  ["publish", isOff],
  ["public", isOff],
  ["private", isOn],
  ["isDraft", isOn],
  ["is_draft", isOn],
  ["unpublished", isOn],
  ["headless", isOn],
  ["permalink", isOff],
];

/** The keys that hide a page, and which values the misspelt key must have to be taken for one. */
const HIDING: readonly (readonly [key: string, fits: Fits])[] = [
  ["published", isFlag],
  ["draft", isFlag],
  ["status", isText],
  ["publish_date", isDate],
  ["unpublish_date", isDate],
  ["roles", (value) => isText(value) || Array.isArray(value)],
  ["routable", isFlag],
  ["unlisted", isFlag],
  ["hidden", isFlag],
];
const listKeys = (fits: Fits): string[] =>
  OTHER_SWITCHES.flatMap(([key, hides]) => (hides === fits ? [key] : []));

/** Switches that keep a page off the site, or out of lists, when they are on. */
export const HIDDEN_BY_TRUE: readonly string[] = ["draft", "unlisted", "hidden", ...listKeys(isOn)];
/** Switches that keep a page off the site when they are off. */
export const HIDDEN_BY_FALSE: readonly string[] = ["published", "routable", ...listKeys(isOff)];
/** Every key that hides a page, ours and those of other systems. */
export const HIDING_NAMES: readonly string[] = [
  ...HIDING.map(([key]) => key),
  ...SCHEDULE_NAMES,
  "expiry_date",
  ...OTHER_SWITCHES.map(([key]) => key),
];
const EXACT: ReadonlySet<string> = new Set(HIDING.map(([key]) => key));
/** Words of their own, and spellings of other systems that are read. */
const OTHERS: ReadonlySet<string> = new Set([
  ...SCHEDULE_NAMES,
  ...OTHER_SWITCHES.map(([key]) => key),
  "role",
  "rules",
  "roses",
  "rolls",
  "stats",
  "statue",
]);

const PARTLY_PUBLIC = [
  "private",
  "hidden",
  "draft",
  "unpublished",
  "unlisted",
  "internal",
  "protected",
  "password",
  "restricted",
  "members",
  "member",
  "paid",
  "login",
  "none",
];
/** Keys of other systems (without case and separators) whose meaning has no counterpart here, or several. */
const FOREIGN = new Map<string, Fits>([
  ["visibility", anyWord(PARTLY_PUBLIC)],
  ["state", anyWord(["draft", "in_review", "in review", "private", "unpublished", "archived"])],
  ["access", (value) => isMap(value) || anyWord(PARTLY_PUBLIC)(value)],
  ["password", (value) => (isText(value) && value !== "") || typeof value === "number"],
  ["protected", isOn],
  ["login", isOn],
  ["loginrequired", isOn],
  ["requirelogin", isOn],
  ["requireslogin", isOn],
  ["membersonly", isOn],
  ["hide", isOn],
  ["exclude", isOn],
  ["excluded", isOn],
  ["wip", isOn],
  ["publish", isDate],
  ["expires", isDate],
  ["expiry", isDate],
  ["expiredate", isDate],
  ["expirydate", isDate],
  ["expirationdate", isDate],
  // Merge keys, and what Hugo applies to the pages below.
  ["<<", saysWhoSees],
  ["cascade", saysWhoSees],
]);

/** Those of them that only say who the readers are: `roles` is our word for it, and decides where it stands. */
const READERS: ReadonlySet<string> = new Set([
  "access",
  "protected",
  "login",
  "loginrequired",
  "requirelogin",
  "requireslogin",
  "membersonly",
]);

/** True when a switch of another system keeps the page off the site: `publish: false`, `private: true`. */
export function isSwitchedOff(frontmatter: FrontMatterMap): boolean {
  return OTHER_SWITCHES.some(([key, hides]) => hides(frontmatter[key]));
}

/** The value with which a switch or `build` does not hide the page; undefined for other keys, null: the key is removed. */
function shownValue(key: string, value: unknown): unknown {
  const hides = OTHER_SWITCHES.find(([other]) => other === key)?.[1];
  if (hides?.(value) === true) return key === "permalink" ? null : hides === isOff;
  const isBuild = key === "build" || key === "_build";
  if (!isBuild || buildOption({ [key]: value }, "render") === false) return undefined;
  return isMap(value) ? { ...value, render: "always" } : null;
}

/** The keys of this front matter that keep the page from the public, whatever their values are. */
export function releaseKeys(frontmatter: FrontMatterMap): string[] {
  const near = new Set(nearHidingKeys(frontmatter).map(({ key }) => key));
  return Object.keys(frontmatter).filter(
    (key) =>
      near.has(key) ||
      ["published", "draft", "status", "roles", "build", "_build"].includes(key) ||
      OTHER_SWITCHES.some(([other]) => other === key) ||
      SCHEDULE_NAMES.has(key),
  );
}

/**
 * The keys that are one letter or one case away from a key that hides, and keys of other systems that limit who
 * sees a page in a way that has no counterpart here.
 */
export function nearHidingKeys(frontmatter: FrontMatterMap): NearKey[] {
  const nearKeys: NearKey[] = [];
  for (const [key, value] of Object.entries(frontmatter)) {
    const meant = meantBy(key, value);
    const isOurs = EXACT.has(key) || SCHEDULE_NAMES.has(key);
    const isAnswered = READERS.has(plainKey(key)) && "roles" in frontmatter;
    const isForeign = !isOurs && !isAnswered && FOREIGN.get(plainKey(key))?.(value) === true;
    if (meant !== null || isForeign) nearKeys.push({ key, meant });
  }
  return nearKeys;
}

function meantBy(key: string, value: unknown): string | null {
  if (EXACT.has(key) || OTHERS.has(key)) return null;
  const plain = plainKey(key);
  if (plain === "build" && key !== "build" && key !== "_build" && isMap(value)) return "build";
  for (const [meant, fits] of HIDING) {
    const plainMeant = plainKey(meant);
    if (plain === plainMeant) return meant;
    if (!OTHERS.has(plain) && isOneEdit(plain, plainMeant) && fits(value)) return meant;
  }
  const other = OTHER_SWITCHES.find(([name, hides]) => {
    const plainName = plainKey(name);
    const isNear = plain === plainName || (!OTHERS.has(plain) && isOneEdit(plain, plainName));
    return isNear && hides(value);
  });
  return other?.[0] ?? null;
}

/** True for a map, or a list with one, that has a key which hides a page. */
function saysWhoSees(value: unknown): boolean {
  const maps = Array.isArray(value) ? value.filter(isMap) : [value].filter(isMap);
  return maps.some((map) => Object.keys(map).some((key) => EXACT.has(key)));
}

/** In lower case, without separators, quotes and invisible characters: `Publish-Date` is `publishdate`. */
function plainKey(key: string): string {
  if (/^[a-z]*$/.test(key) || key === "<<") return key;
  return key
    .normalize("NFKC")
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]/gu, "");
}

/** True when one letter was added, left out or replaced, or two were swapped. */
function isOneEdit(a: string, b: string): boolean {
  if (Math.abs(a.length - b.length) > 1) return false;
  let start = 0;
  while (start < a.length && a[start] === b[start]) start += 1;
  const [restA, restB] = [a.slice(start), b.slice(start)];
  if (restA.slice(1) === restB || restA === restB.slice(1)) return true;
  if (restA.slice(1) === restB.slice(1)) return true;
  return restA[0] === restB[1] && restA[1] === restB[0] && restA.slice(2) === restB.slice(2);
}

/** Characters without a width, which copied texts bring along: soft hyphens, marks of direction, zero-width spaces. */
const INVISIBLE = /[\u00ad\u061c\u180e\u200b-\u200f\u202a-\u202e\u2060-\u2064\u2066-\u2069\ufeff]/g;
/** Quotes and spaces around a word: word processors write typographic ones, which YAML takes for text. */
const AROUND = /^[\s"'\u2018-\u201f\u00ab\u00bb]+|[\s"'\u2018-\u201f\u00ab\u00bb]+$/g;

/** A longer text, in characters, is no word: it is not searched for the blanks around one. */
const MAX_WORD = 64;

/** A word as it is meant: in lower case, without quotes, spaces and invisible characters around it. */
function bareWord(text: string): string {
  if (text.length > MAX_WORD) return text;
  return text.replace(INVISIBLE, "").replace(AROUND, "").toLowerCase();
}

/** True or false, also as the words of YAML 1.1, in quotes, or as 1 and 0; null for any other value. */
export function toFlag(value: unknown): boolean | null {
  if (typeof value === "boolean") return value;
  if (typeof value !== "string" && typeof value !== "number") return null;
  const word = bareWord(String(value));
  if (/^(?:y|yes|on|true|1)$/.test(word)) return true;
  return /^(?:n|no|off|false|0)$/.test(word) ? false : null;
}

/** Values of `build` in Hugo. */
const BUILD_VALUES: ReadonlySet<string> = new Set(["always", "never", "local", "link"]);

/**
 * True when `_build` or `build` switches something off: `render: never` has no page, `list: never` no entry;
 * "invalid" for a value that Hugo does not know, and for the word without its option (`build: never`).
 */
export function buildOption(
  frontmatter: Readonly<Record<string, unknown>>,
  option: "render" | "list",
): boolean | "invalid" {
  const answers = [frontmatter["_build"], frontmatter["build"]].map((value) =>
    isHiddenByBuild(value, option),
  );
  return answers.includes("invalid") ? "invalid" : answers.includes(true);
}

function isHiddenByBuild(build: unknown, option: "render" | "list"): boolean | "invalid" {
  if (!isMap(build)) {
    const isWord = typeof build === "string" && /^(?:never|link)$/.test(bareWord(build));
    return isWord && option === "render" ? "invalid" : false;
  }
  const value = build[option] ?? true;
  const flag = toFlag(value);
  if (flag !== null) return !flag;
  const word = typeof value === "string" ? bareWord(value) : "";
  if (!BUILD_VALUES.has(word)) return "invalid";
  return word === "never" || (option === "render" && word === "link");
}

/**
 * The change of front matter that gives a page a status. Other keys that hide the page, ours and those of other
 * systems, are changed where they are present, so that a published page is public.
 * @throws HttpError 409 when a key that cannot be read keeps the page off the site.
 */
export function releasePatch(
  frontmatter: FrontMatterMap,
  to: WorkflowStatus,
): Record<string, unknown> {
  const isPublic = to === "published";
  const patch: Record<string, unknown> = { status: to };
  if ("published" in frontmatter) patch["published"] = isPublic;
  if ("draft" in frontmatter) patch["draft"] = !isPublic;
  if (!isPublic) return patch;
  const unreadable = nearHidingKeys(frontmatter).map(({ key }) => JSON.stringify(key));
  if (unreadable.length > 0) {
    const message = `the page would stay off the site: correct or rename ${unreadable.join(", ")} in its front matter`;
    throw new HttpError(409, message, { code: "ERR_CONTENT_FIELD_NAME" });
  }
  for (const key of Object.keys(frontmatter)) {
    const value = shownValue(key, frontmatter[key]);
    if (value !== undefined) patch[key] = value;
  }
  return patch;
}

/** The change that removes a date of a schedule, under each of its names. */
export function unschedulePatch(
  frontmatter: FrontMatterMap,
  name: keyof typeof SCHEDULE_KEYS,
): Record<string, null> {
  const names = SCHEDULE_KEYS[name].filter((key) => key === name || key in frontmatter);
  return Object.fromEntries(names.map((key) => [key, null]));
}
