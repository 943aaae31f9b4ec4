/** Keys of front matter that are almost one that decides who sees the page. */
import { readDate } from "#kernel/internal";
import { toFlag } from "./flags.js";

/** A key as written, and the one that it is close to. */
export interface NearKey {
  readonly key: string;
  readonly meant: string;
}

const isFlag = (value: unknown): boolean => toFlag(value) !== null;
const isText = (value: unknown): boolean => typeof value === "string";
const isDate = (value: unknown): boolean => readDate(value) !== null;

/** The keys that hide a page, and which values the misspelt key must have to be taken for one. */
const HIDING: readonly (readonly [key: string, fits: (value: unknown) => boolean])[] = [
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
const EXACT: ReadonlySet<string> = new Set(HIDING.map(([key]) => key));
/** Words of their own, and spellings of other systems that are read. */
const OTHERS: ReadonlySet<string> = new Set([
  "publishDate",
  "role",
  "rules",
  "roses",
  "rolls",
  "stats",
  "statue",
]);

/** The keys that are one letter or one case away from a key that hides. */
export function nearHidingKeys(frontmatter: Readonly<Record<string, unknown>>): NearKey[] {
  return Object.keys(frontmatter).flatMap((key) => {
    const meant = meantBy(key, frontmatter[key]);
    return meant === null ? [] : [{ key, meant }];
  });
}

function meantBy(key: string, value: unknown): string | null {
  if (EXACT.has(key) || OTHERS.has(key)) return null;
  const plain = plainKey(key);
  for (const [meant, fits] of HIDING) {
    const wanted = plainKey(meant);
    if (plain === wanted) return meant;
    if (!OTHERS.has(plain) && isOneEdit(plain, wanted) && fits(value)) return meant;
  }
  return null;
}

/** Without case and separators: `Publish-Date` is `publishdate`. */
function plainKey(key: string): string {
  return key.toLowerCase().replace(/[\s_-]/g, "");
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
