import { normalizeText } from "../../terms.js";
import type { Column } from "./columns.js";
import { postingBits } from "./segment.js";
import type { Segment } from "./segment.js";
import { orderByKey } from "./segment-builder.js";
import type { Steps } from "./slices.js";

const ownMask = (1 << postingBits) - 1;
const stepTerms = 512;
const gone = 0xffffffff;

/** Where the documents of two segments stand in the merged one. */
interface Numbering {
  readonly from: readonly { segment: Segment; doc: number }[];
  /** Per segment: old number to new one, or `gone` for the removed. */
  readonly maps: readonly [Uint32Array, Uint32Array];
}
type Pair = readonly [Segment, Segment];

/** One segment of two, without what was removed from them. */
export function* mergeSegments(pair: Pair): Steps<Segment> {
  const numbering = yield* renumber(pair);
  const lists = yield* mergeLists(pair, numbering);
  const columns = yield* mergeColumns(pair, numbering);
  const routes = numbering.from.map(({ segment, doc }) => segment.routes[doc] ?? "");
  const titles = numbering.from.map(({ segment, doc }) => segment.titles[doc] ?? "");
  yield;
  return {
    size: routes.length,
    routes,
    titles,
    titleHashes: Uint32Array.from(
      numbering.from,
      ({ segment, doc }) => segment.titleHashes[doc] ?? 0,
    ),
    titleOrder: yield* orderTitles(titles),
    dates: Int32Array.from(numbering.from, ({ segment, doc }) => segment.dates[doc] ?? 0),
    ...lists,
    columns,
    byRoute: new Map(routes.map((route, at) => [route, at])),
    dead: new Uint8Array(routes.length),
    deadCount: 0,
  };
}

function* orderTitles(titles: readonly string[]): Steps<Uint32Array> {
  const keys: string[] = [];
  for (const title of titles) {
    if (keys.push(normalizeText(title)) % stepTerms === 0) yield;
  }
  return yield* orderByKey(keys);
}

function* renumber(pair: Pair): Steps<Numbering> {
  const from: { segment: Segment; doc: number }[] = [];
  const maps = [
    new Uint32Array(pair[0].size).fill(gone),
    new Uint32Array(pair[1].size).fill(gone),
  ] as const;
  const at = [0, 0];
  const take = (side: 0 | 1): void => {
    const doc = at[side] ?? 0;
    at[side] = doc + 1;
    if (pair[side].dead[doc] === 1) return;
    maps[side][doc] = from.push({ segment: pair[side], doc }) - 1;
  };
  for (let steps = 1; (at[0] ?? 0) < pair[0].size || (at[1] ?? 0) < pair[1].size; steps++) {
    take(comesFirst(pair, at[0] ?? 0, at[1] ?? 0) ? 0 : 1);
    if (steps % 4096 === 0) yield;
  }
  return { from, maps };
}

/** True when document `a` of the first segment stands before document `b` of the second. */
function comesFirst([left, right]: Pair, a: number, b: number): boolean {
  if (a >= left.size) return false;
  if (b >= right.size) return true;
  const days = (right.dates[b] ?? 0) - (left.dates[a] ?? 0);
  return days !== 0 ? days < 0 : (left.routes[a] ?? "") <= (right.routes[b] ?? "");
}

type Lists = Pick<
  Segment,
  "terms" | "starts" | "postings" | "extraStarts" | "extraDocs" | "extraSlots"
>;

function* mergeLists([left, right]: Pair, { maps }: Numbering): Steps<Lists> {
  const out = new ListWriter([left, right]);
  let [l, r] = [0, 0];
  for (let steps = 1; l < left.terms.length || r < right.terms.length; steps++) {
    const order = compareTerms(left.terms[l], right.terms[r]);
    const term = (order <= 0 ? left.terms[l] : right.terms[r]) as string;
    if (order <= 0) out.copy(left, l++, maps[0]);
    if (order >= 0) out.copy(right, r++, maps[1]);
    out.endTerm(term);
    if (steps % stepTerms === 0) yield;
  }
  return out.finish();
}

/** Undefined stands behind every term. */
function compareTerms(a: string | undefined, b: string | undefined): number {
  if (a === b) return 0;
  if (a === undefined) return 1;
  return b === undefined || a < b ? -1 : 1;
}

/** Writes the lists of a merged segment term by term; terms whose documents are all gone fall away. */
class ListWriter {
  readonly #terms: string[] = [];
  readonly #starts: number[] = [0];
  readonly #extraStarts: number[] = [0];
  readonly #postings: Uint32Array;
  readonly #extraDocs: Uint32Array;
  readonly #extraSlots: Uint16Array;
  #used = 0;
  #extraUsed = 0;

  constructor([left, right]: Pair) {
    this.#postings = new Uint32Array(left.postings.length + right.postings.length);
    this.#extraDocs = new Uint32Array(left.extraDocs.length + right.extraDocs.length);
    this.#extraSlots = new Uint16Array(this.#extraDocs.length);
  }

  copy(segment: Segment, term: number, map: Uint32Array): void {
    const { starts, postings } = segment;
    for (let at = starts[term] as number; at < (starts[term + 1] as number); at++) {
      const posting = postings[at] as number;
      const doc = map[posting >>> postingBits] as number;
      if (doc !== gone)
        this.#postings[this.#used++] = ((doc << postingBits) | (posting & ownMask)) >>> 0;
    }
    this.#copyExtras(segment, term, map);
  }

  #copyExtras(
    { extraStarts, extraDocs, extraSlots }: Segment,
    term: number,
    map: Uint32Array,
  ): void {
    for (let at = extraStarts[term] as number; at < (extraStarts[term + 1] as number); at++) {
      const doc = map[extraDocs[at] as number] as number;
      if (doc === gone) continue;
      this.#extraDocs[this.#extraUsed] = doc;
      this.#extraSlots[this.#extraUsed++] = extraSlots[at] as number;
    }
  }

  endTerm(term: string): void {
    if (this.#used === this.#starts.at(-1)) return;
    this.#terms.push(term);
    this.#starts.push(this.#used);
    this.#extraStarts.push(this.#extraUsed);
  }

  finish(): Lists {
    return {
      terms: this.#terms,
      starts: Uint32Array.from(this.#starts),
      postings: this.#postings.slice(0, this.#used),
      extraStarts: Uint32Array.from(this.#extraStarts),
      extraDocs: this.#extraDocs.slice(0, this.#extraUsed),
      extraSlots: this.#extraSlots.slice(0, this.#extraUsed),
    };
  }
}

function* mergeColumns(pair: Pair, { from }: Numbering): Steps<Map<string, Column>> {
  const merged = new Map<string, Column>();
  for (const name of new Set([...pair[0].columns.keys(), ...pair[1].columns.keys()])) {
    merged.set(name, yield* mergeColumn(name, pair, from));
  }
  return merged;
}

function* mergeColumn(name: string, pair: Pair, from: Numbering["from"]): Steps<Column> {
  const known = new Map<string, number>();
  const sides = new Map(
    pair.map((segment) => [segment, renamedColumn(segment.columns.get(name), known)]),
  );
  const ids: number[] = [];
  const starts = new Uint32Array(from.length + 1);
  for (const [at, { segment, doc }] of from.entries()) {
    for (const id of sides.get(segment)?.(doc) ?? []) ids.push(id);
    starts[at + 1] = ids.length;
    if (at % 4096 === 0) yield;
  }
  return { values: [...known.keys()], starts, ids: Uint32Array.from(ids) };
}

/** The numbers of a document's values in the merged dictionary, which grows by those of this column. */
function renamedColumn(
  column: Column | undefined,
  known: Map<string, number>,
): (doc: number) => Uint32Array {
  const names = Uint32Array.from(column?.values ?? [], (value) => {
    const id = known.get(value) ?? known.size;
    known.set(value, id);
    return id;
  });
  const none = new Uint32Array(0);
  return (doc) =>
    column?.ids
      .subarray(column.starts[doc], column.starts[doc + 1])
      .map((id) => names[id] as number) ?? none;
}
