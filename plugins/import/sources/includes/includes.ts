/**
 * Inclusions of a source: the text of the file takes the place of the mark. A source sets `includes` of its rules to the
 * marks of its system (`include-marks.ts`); reading, recursion, links and reports are here.
 */
import { posix } from "node:path";
import { type FilePart, partOf } from "#lib/text";
import { hideCode } from "../../text/hidden-code.js";
import { readMatter } from "../files/front-matter.js";

const MAX_DEPTH = 10;
const MAX_LENGTH = 5 * 1_048_576;
const MARKDOWN = /\.(?:md|mdx|markdown)$/i;

/** A mark that includes a file. */
export interface Inclusion {
  /** Its place in the text. */
  readonly start: number;
  readonly end: number;
  /** The file as the mark names it. */
  readonly name: string;
  /** Paths below the source folder, the first file that exists counts. */
  readonly files: readonly string[];
  readonly part: FilePart;
  /** True: the text is shown as it is, its own inclusions are not read and its front matter stays. Default false. */
  readonly isCode?: boolean;
  /** What takes the place of the mark; null leaves the mark. */
  render(text: string, file: string): string | null;
}
/** What finding marks needs to know of their place. */
export interface IncludePlace {
  /** The file with the marks, below the source folder. */
  readonly file: string;
  readonly paths: ReadonlySet<string>;
}
/** The marks of a system. */
export interface IncludeMarks {
  /** Marks that count in code too. */
  anywhere?(text: string, place: IncludePlace): Inclusion[];
  /** Marks outside of code; the text has signs instead of its code. */
  outsideCode?(text: string, place: IncludePlace): Inclusion[];
}
/** The files of a source. */
interface IncludeFiles {
  readonly paths: ReadonlySet<string>;
  /** The text of a file; null for one that is missing, outside of the source folder or behind a link. */
  read(path: string): Promise<string | null>;
}

/** The text with the files that it includes; what cannot be included is left out with a note. */
export async function withIncludes(
  text: string,
  file: string,
  marks: IncludeMarks,
  files: IncludeFiles,
): Promise<{ text: string; notes: string[] }> {
  const run = new IncludeRun(marks, files);
  return { text: await run.expand(text, [file]), notes: [...run.notes] };
}

class IncludeRun {
  readonly notes = new Set<string>();
  readonly #marks: IncludeMarks;
  readonly #files: IncludeFiles;
  #length = 0;

  constructor(marks: IncludeMarks, files: IncludeFiles) {
    this.#marks = marks;
    this.#files = files;
  }

  /** `open`: the files that include each other, the one with this text last. */
  async expand(text: string, open: readonly string[]): Promise<string> {
    const place = { file: open.at(-1) ?? "", paths: this.#files.paths };
    const { anywhere, outsideCode } = this.#marks;
    let result = text;
    if (anywhere !== undefined) {
      const plain = (piece: string): string => piece;
      result = await this.#replace(result, anywhere(result, place), plain, open);
    }
    if (outsideCode === undefined) return result;
    const hidden = hideCode(result);
    const found = outsideCode(hidden.text, place);
    return found.length === 0
      ? result
      : this.#replace(hidden.text, found, (piece) => hidden.restore(piece), open);
  }

  async #replace(
    text: string,
    found: readonly Inclusion[],
    restore: (piece: string) => string,
    open: readonly string[],
  ): Promise<string> {
    let result = "";
    let done = 0;
    for (const one of found) {
      if (one.start < done) continue;
      const mark = text.slice(one.start, one.end);
      const shown = await this.#include(one, open, () => isInCode(mark, text));
      if (shown === null) continue;
      result += restore(text.slice(done, one.start)) + shown;
      done = one.end;
    }
    return result + restore(text.slice(done));
  }

  /** What takes the place of a mark; null leaves the mark. */
  async #include(
    one: Inclusion,
    open: readonly string[],
    isExample: () => boolean,
  ): Promise<string | null> {
    const { part, isCode = false } = one;
    const found = await this.#read(one.files);
    const wanted = JSON.stringify(one.name);
    // A mark in code may be an example of the syntax.
    if (found === null && isExample()) {
      this.notes.add(`the included file ${wanted} was not found: its mark in code stays`);
      return null;
    }
    if (found === null)
      return this.#leaveOut(`the included file ${wanted} was not found and is left out`);
    const { file, source } = found;
    if (open.includes(file) || open.length > MAX_DEPTH) {
      const way = [...open, file].map((path) => JSON.stringify(path)).join(" → ");
      return this.#leaveOut(`files include each other and are left out: ${way}`);
    }
    const isText = !isCode && MARKDOWN.test(file);
    const matter = isText ? readMatter(source) : { body: source };
    const picked = partOf("body" in matter ? matter.body : source, part);
    if (picked === null)
      return this.#leaveOut(
        `the part ${JSON.stringify(nameOf(part))} of the included file ${JSON.stringify(file)} was not found and is left out`,
      );
    const expanded = isCode ? picked : await this.expand(picked, [...open, file]);
    const text = isText ? this.#rebase(expanded, file) : expanded;
    this.#length += text.length;
    if (this.#length > MAX_LENGTH)
      return this.#leaveOut(
        `the included files have more than ${MAX_LENGTH} characters: ${wanted} is left out`,
      );
    return one.render(text, file);
  }

  #leaveOut(note: string): string {
    this.notes.add(note);
    return "";
  }

  async #read(names: readonly string[]): Promise<{ file: string; source: string } | null> {
    for (const name of new Set(names)) {
      const file = posix.normalize(name).replace(/^\/+/, "");
      const isInside = file !== ".." && !file.startsWith("../");
      const source = isInside ? await this.#files.read(file) : null;
      if (source !== null) return { file, source };
    }
    return null;
  }

  /** Relative links of an included text, from the root of the source, if they lead from its place to a file. */
  #rebase(text: string, file: string): string {
    const change = (link: string): string => this.#fromRoot(link, file) ?? link;
    const hidden = hideCode(text);
    const changed = hidden.text
      .replaceAll(INLINE, (_, head: string, link: string) => head + change(link))
      .replaceAll(DEFINITION, (_, head: string, link: string) => head + change(link))
      .replaceAll(ATTRIBUTE, (_, head: string, link: string) => head + change(link));
    return hidden.restore(changed);
  }

  #fromRoot(link: string, file: string): string | null {
    if (/^(?:[a-z][a-z0-9+.-]*:|[/#?])/i.test(link) || link === "") return null;
    const [, plain = "", rest = ""] = /^([^?#]*)(.*)$/s.exec(link) ?? [];
    const path = posix.join(posix.dirname(file), decoded(plain));
    if (path === ".." || path.startsWith("../")) return null;
    const bare = path.replace(/\/$/, "");
    const isFile = ["", ".md", ".mdx", "/index.md", "/_index.md", "/README.md"].some((ending) =>
      this.#files.paths.has(bare + ending),
    );
    return isFile ? `/${encodeURI(path)}${rest}` : null;
  }
}

const INLINE = /(\]\(<?)([^()<>\s]+)/g;
const DEFINITION = /(^ {0,3}\[[^[\]\n]{1,300}\]:[ \t]*<?)([^<>\s]+)/gm;
const ATTRIBUTE = /(\b(?:src|href)=["'])([^"'\s<>]+)/g;

/** True when a mark is only in the code of a text. */
function isInCode(mark: string, text: string): boolean {
  return !hideCode(text).text.includes(mark.trim());
}

function nameOf({ region, heading, block }: FilePart): string {
  return region ?? heading ?? (block === undefined ? "lines" : `^${block}`);
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
