import { ChangeSet, type Text } from "@codemirror/state";

/**
 * The body with its own line ends. A text editor knows only `\n`; here, untouched parts
 * keep `\r\n` and `\r` where they were, in mixed files too.
 */
export class BodyText {
  #original: string;
  // Positions, in the editor's text, of line ends that have two characters in the original.
  #doubles: number[] = [];
  #changes: ChangeSet;

  constructor(original: string, length: number) {
    this.#original = original;
    this.#doubles = doubleEnds(original);
    this.#changes = ChangeSet.empty(length);
  }

  /** Records an edit. */
  record(changes: ChangeSet): void {
    // Files without `\r` are the editor's text: nothing to record.
    if (this.#hasReturns) this.#changes = this.#changes.compose(changes);
  }

  /** The body as it goes into the file. */
  read(doc: Text): string {
    if (!this.#hasReturns) return doc.toString();
    const end = this.#doubles.length > 0 ? "\r\n" : "\r";
    let [out, at] = ["", 0];
    this.#changes.iterChanges((...[from, to, , , inserted]) => {
      out += this.#slice(at, from) + inserted.sliceString(0, undefined, end);
      at = to;
    }, true);
    return out + this.#slice(at, this.#changes.length);
  }

  get #hasReturns(): boolean {
    return this.#original.includes("\r");
  }

  #slice(from: number, to: number): string {
    return this.#original.slice(this.#offset(from), this.#offset(to));
  }

  #offset(position: number): number {
    let [low, high] = [0, this.#doubles.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((this.#doubles[middle] ?? 0) < position) low = middle + 1;
      else high = middle;
    }
    return position + low;
  }
}

function doubleEnds(text: string): number[] {
  return [...text.matchAll(/\r\n/g)].map(({ index }, at) => index - at);
}

/** The smallest range whose replacement turns one text into another. */
export function differingRange(
  from: string,
  to: string,
): { from: number; to: number; insert: string } | null {
  if (from === to) return null;
  const most = Math.min(from.length, to.length);
  let start = 0;
  while (start < most && from[start] === to[start]) start += 1;
  let end = 0;
  while (end < most - start && from.at(-1 - end) === to.at(-1 - end)) end += 1;
  return { from: start, to: from.length - end, insert: to.slice(start, to.length - end) };
}
