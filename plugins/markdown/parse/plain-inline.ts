const HIDDEN = /^<(script|style|template|svg|math|iframe|object)\b/i;

/** Removes inline marks from text in linear time. */
export function stripInline(source: string): string {
  return new InlineScanner(source).run();
}

class InlineScanner {
  readonly #source: string;
  readonly #codeEnds: ReadonlyMap<number, number>;
  /** Searches without a match, so that none is repeated. */
  readonly #absent = new Set<string>();
  readonly #steps: Readonly<Record<string, () => void>> = {
    "\\": () => this.#escape(),
    "`": () => this.#code(),
    "<": () => this.#tag(),
    "!": () => this.#image(),
    "[": () => this.#open(),
    "]": () => this.#close(),
    "&": () => this.#entity(),
    "*": () => this.#emphasis("*"),
    _: () => this.#emphasis("_"),
    "~": () => this.#emphasis("~"),
  };
  #text = "";
  #at = 0;

  constructor(source: string) {
    this.#source = source;
    this.#codeEnds = codeSpanEnds(source);
  }

  run(): string {
    const special = /[\\`<![\]*_~&]/g;
    while (this.#at < this.#source.length) {
      special.lastIndex = this.#at;
      const next = special.exec(this.#source)?.index ?? this.#source.length;
      this.#text += this.#source.slice(this.#at, next);
      this.#at = next;
      if (next < this.#source.length) this.#step(this.#source[next] ?? "");
    }
    return tidy(this.#text);
  }

  #step(mark: string): void {
    if (mark === "!" && this.#next() !== "[") this.#keep(1);
    else this.#steps[mark]?.();
  }

  #next(offset = 1): string {
    return this.#source[this.#at + offset] ?? "";
  }

  #keep(count: number): void {
    this.#text += this.#source.slice(this.#at, this.#at + count);
    this.#at += count;
  }

  #escape(): void {
    const isEscape = /[!-/:-@[-`{-~]/.test(this.#next());
    if (isEscape) this.#at += 1;
    this.#keep(1);
  }

  #code(): void {
    let open = this.#at;
    while (this.#source[open] === "`") open += 1;
    const end = this.#codeEnds.get(this.#at);
    if (end === undefined) {
      this.#at = open;
      return;
    }
    this.#text += this.#source.slice(open, end);
    this.#at = end + (open - this.#at);
  }

  #tag(): void {
    if (this.#source.startsWith("<!--", this.#at)) return this.#skipPast("-->", 4);
    if (!/[A-Za-z/!?]/.test(this.#next())) return this.#keep(1);
    const hidden = HIDDEN.exec(this.#source.slice(this.#at, this.#at + 12))?.[1];
    if (hidden !== undefined) return this.#skipPast(`</${hidden.toLowerCase()}`, 1);
    const end = this.#scan(/[<>]/g, this.#at + 1);
    if (end === -1 || this.#source[end] === "<") return this.#keep(1);
    const content = this.#source.slice(this.#at + 1, end);
    this.#text += /^[A-Za-z][\w+.-]*[:@]\S*$/.test(content) ? content : blockGap(content);
    this.#at = end + 1;
  }

  #image(): void {
    const end = this.#scan(/[[\]]/g, this.#at + 2);
    if (end === -1 || this.#source[end] === "[") return this.#keep(1);
    this.#at = end + 1;
    this.#target();
  }

  #open(): void {
    if (this.#next() !== "^") {
      this.#at += 1;
      return;
    }
    const end = this.#scan(/[[\]\n]/g, this.#at + 1);
    this.#at = end !== -1 && this.#source[end] === "]" ? end + 1 : this.#at + 1;
  }

  #close(): void {
    this.#at += 1;
    this.#target();
  }

  // `(target "title")` or `[label]` after a closing bracket.
  #target(): void {
    const mark = this.#source[this.#at];
    if (mark === "[") {
      const end = this.#scan(/[[\]]/g, this.#at + 1);
      if (end !== -1 && this.#source[end] === "]") this.#at = end + 1;
      return;
    }
    if (mark !== "(") return;
    const end = this.#targetEnd();
    if (end !== -1) this.#at = end;
  }

  // Ends at the next target or paragraph, so that nothing is scanned twice.
  #targetEnd(): number {
    const marks = /[()\\]|\]\(|\n[ \t]*\n/g;
    marks.lastIndex = this.#at;
    let depth = 0;
    for (let match = marks.exec(this.#source); match !== null; match = marks.exec(this.#source)) {
      if (match[0] === "\\") marks.lastIndex += 1;
      else if (match[0] === "(") depth += 1;
      else if (match[0] === ")") depth -= 1;
      else return -1;
      if (depth === 0) return marks.lastIndex;
    }
    return -1;
  }

  #entity(): void {
    const entity = decodeEntity(this.#source, this.#at);
    if (entity === null) return this.#keep(1);
    this.#text += entity.text;
    this.#at = entity.end;
  }

  #emphasis(mark: string): void {
    let end = this.#at;
    while (this.#source[end] === mark) end += 1;
    const [before, after] = [this.#source[this.#at - 1] ?? " ", this.#source[end] ?? " "];
    const isPlainTilde = mark === "~" && end - this.#at !== 2;
    if (isPlainTilde || isTextual(mark, before, after)) this.#keep(end - this.#at);
    else this.#at = end;
  }

  #skipPast(needle: string, fallback: number): void {
    const position = this.#absent.has(needle) ? -1 : this.#search(needle);
    if (position === -1) {
      this.#absent.add(needle);
      this.#at += fallback;
      return;
    }
    const close = needle.endsWith(">")
      ? position + needle.length
      : this.#source.indexOf(">", position) + 1;
    this.#at = close > 0 ? close : this.#source.length;
    this.#text += " ";
  }

  #search(needle: string): number {
    const exact = this.#source.indexOf(needle, this.#at);
    return exact !== -1 ? exact : this.#source.indexOf(needle.toUpperCase(), this.#at);
  }

  #scan(marks: RegExp, from: number): number {
    marks.lastIndex = from;
    return marks.exec(this.#source)?.index ?? -1;
  }
}

// A mark between spaces is text, and so is an underscore within a word.
function isTextual(mark: string, before: string, after: string): boolean {
  if (/\s/.test(before) && /\s/.test(after)) return true;
  return mark === "_" && /[\p{L}\p{N}_]/u.test(before) && /[\p{L}\p{N}_]/u.test(after);
}

function blockGap(tag: string): string {
  return /^\/?(?:a|b|i|u|s|em|strong|span|code|kbd|mark|sub|sup|small|abbr|wbr)\b/i.test(tag)
    ? ""
    : " ";
}

function tidy(text: string): string {
  // Three cheap checks spare most pages the slow replacement.
  const isSpaced = text.includes("  ") || text.includes("\t") || text.includes("\u00a0");
  const lines: string[] = [];
  for (const line of text.split("\n")) {
    const tidied = (isSpaced ? line.replace(/[ \t\u00a0]{2,}|\t/g, " ") : line).trim();
    if (tidied !== "") lines.push(tidied);
  }
  return lines.join("\n");
}

const NAMED: Readonly<Record<string, string>> = {
  amp: "&",
  lt: "<",
  gt: ">",
  quot: '"',
  apos: "'",
  nbsp: " ",
  copy: "©",
  reg: "®",
  trade: "™",
  hellip: "…",
  mdash: "—",
  ndash: "–",
  lsquo: "‘",
  rsquo: "’",
  ldquo: "“",
  rdquo: "”",
  bdquo: "„",
  laquo: "«",
  raquo: "»",
  euro: "€",
  times: "×",
  middot: "·",
  auml: "ä",
  ouml: "ö",
  uuml: "ü",
  Auml: "Ä",
  Ouml: "Ö",
  Uuml: "Ü",
  szlig: "ß",
  shy: "",
};

const ENTITY = /&(?:#(\d{1,7})|#[xX]([\da-fA-F]{1,6})|([A-Za-z]{2,8}));/y;

/** Decodes the character reference at `at`; null for an uncommon one. */
export function decodeEntity(source: string, at: number): { text: string; end: number } | null {
  ENTITY.lastIndex = at;
  const match = ENTITY.exec(source);
  if (match === null) return null;
  const [, decimal, hexadecimal, name] = match;
  const text = name === undefined ? fromCode(decimal, hexadecimal) : named(name);
  return text === null ? null : { text, end: ENTITY.lastIndex };
}

function named(name: string): string | null {
  return Object.hasOwn(NAMED, name) ? (NAMED[name] ?? null) : null;
}

function fromCode(decimal: string | undefined, hexadecimal: string | undefined): string {
  const code = decimal === undefined ? Number.parseInt(hexadecimal ?? "", 16) : Number(decimal);
  const isText = code > 0 && code <= 0x10ffff && (code < 0xd800 || code > 0xdfff);
  return isText ? String.fromCodePoint(code) : "\ufffd";
}

/**
 * Maps the start of each run of backticks that opens a code span to the start of the closing run
 * (the next one of the same length), in one pass.
 */
export function codeSpanEnds(source: string): ReadonlyMap<number, number> {
  if (!source.includes("`")) return new Map();
  const runs = [...source.matchAll(/`+/g)].map((match) => ({
    start: match.index,
    length: match[0].length,
  }));
  const nextOfLength = nextRuns(runs);
  const ends = new Map<number, number>();
  for (let index = 0; index < runs.length;) {
    const close = nextOfLength[index];
    const run = runs[index];
    const end = close === undefined ? undefined : runs[close];
    if (run === undefined || end === undefined || close === undefined) {
      index += 1;
      continue;
    }
    ends.set(run.start, end.start);
    index = close + 1;
  }
  return ends;
}

/** Backticks in a row. */
interface BacktickRun {
  readonly start: number;
  readonly length: number;
}

/** The index of the next run of the same length, for each run. */
function nextRuns(runs: readonly BacktickRun[]): (number | undefined)[] {
  const latest = new Map<number, number>();
  const next: (number | undefined)[] = [];
  for (let index = runs.length - 1; index >= 0; index -= 1) {
    const length = runs[index]?.length ?? 0;
    next[index] = latest.get(length);
    latest.set(length, index);
  }
  return next;
}
