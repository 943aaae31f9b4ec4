/** What bench/http/workers.ts requests. No page and no search is requested twice of the same server. */

/** Kinds of work, in the order in which they are measured. */
export const KINDS = ["pages", "searches", "lists"] as const;
/** A kind of work. */
export type Kind = (typeof KINDS)[number];

/** Requests: `before` per process, so that its code is compiled; `measured` of all processes together. */
const COUNTS: Readonly<Record<Kind, { before: number; measured: number }>> = {
  pages: { before: 8_000, measured: 4_000 },
  searches: { before: 1_500, measured: 1_500 },
  lists: { before: 20_000, measured: 20_000 },
};
/** Processes of one set-up. */
const MAX_PROCESSES = 2;
/** Pages of the site. */
export const PAGES = COUNTS.pages.before * MAX_PROCESSES + COUNTS.pages.measured + 1;

const WORDS =
  "site page folder markdown content server plugin theme route query index search cache answer request reader writer editor image media list order date title".split(
    " ",
  );
const SEARCHES = searches();

/** Addresses to request. */
export function pathsOf(kind: Kind, part: "before" | "measured", processes: number): string[] {
  const { before, measured } = COUNTS[kind];
  const from = part === "before" ? 0 : before * MAX_PROCESSES;
  const count = part === "before" ? before * processes : measured;
  return Array.from({ length: count }, (_, at) => pathOf(kind, from + at));
}

function pathOf(kind: Kind, at: number): string {
  if (kind === "lists") return "/api/pages?limit=5";
  if (kind === "searches") return `/api/search?q=${SEARCHES[at]}`;
  return `/section-${String(Math.floor(at / 100) + 2).padStart(4, "0")}/page-${at}`;
}

/** Three words each, in every order. */
function searches(): readonly string[] {
  return WORDS.flatMap((one) =>
    WORDS.flatMap((two) => WORDS.map((three) => [one, two, three])),
  ).flatMap((words) => (new Set(words).size === 3 ? [words.join("+")] : []));
}
