import { readFile, stat } from "node:fs/promises";
import { join } from "node:path";
import { isDeepStrictEqual } from "node:util";
import { z } from "zod";
import { atomicWrite, HttpError, KeyedLock, type Logger, type SiteContext } from "#kernel";
import { setYamlKeys, nearestLine, parseYamlSource } from "#lib/yaml";
import { readData, schemaTexts, type SchemaMistake } from "#lib/schema";
import { sha256 } from "#lib/secrets";
import type { ContentProblem } from "../../content/contract.js";
import type {
  SynonymSource,
  SynonymText,
  SynonymTextLists,
  SynonymWriteOptions,
} from "../contract.js";
import { Synonyms, type SynonymLists } from "./synonyms.js";

const word = z.string().min(1).max(100);
const listShape = {
  groups: z.array(z.array(word).min(2).max(50)).max(2000).default([]),
  one_way: z.record(word, z.array(word).max(50)).default({}),
  stop: z.array(word).max(2000).default([]),
};
/** The lists of all languages, or of one. */
export const synonymLists = z.strictObject(listShape);
/** The schema of the file of synonyms. */
export const synonymFile = z.strictObject({
  ...listShape,
  lang: z.record(z.string(), synonymLists).default({}),
});
type SynonymFileData = z.output<typeof synonymFile>;

/** A mistake in the file, and its line where one is known. */
export interface SynonymMistake {
  readonly message: string;
  readonly line?: number;
}

/** The lists in the bytes of a file, or its first mistake; `name` is for messages. */
export function readSynonyms(name: string, bytes: Buffer): SynonymFileData | SynonymMistake {
  if (bytes.length > MAX_BYTES)
    return { message: `the file has ${bytes.length} bytes, at most ${MAX_BYTES}` };
  const source = parseYamlSource(name, bytes);
  const [mistake] = source.problems;
  if (mistake !== undefined) {
    const { received, expected, line } = mistake;
    return { message: `received ${JSON.stringify(received)}, expected ${expected}`, line };
  }
  const read = readData(synonymFile, schemaTexts(synonymFile, source.data, source.texts));
  if (read.mistakes === null) return read.data;
  const [{ path, unknown, message: wrong }] = read.mistakes;
  const prefix = path.length === 0 ? "" : `${path.join(".")}: `;
  const message = prefix + (unknown === undefined ? wrong : unknownKey(unknown));
  const line = nearestLine(source, path);
  return line === undefined ? { message } : { message, line };
}

function unknownKey({ known, meant }: NonNullable<SchemaMistake["unknown"]>): string {
  const expected = `expected ${known.slice(0, -1).join(", ")} or ${known.at(-1)}`;
  return meant === null ? expected : `${expected}; did you mean ${meant}?`;
}

const MAX_BYTES = 1024 * 1024;
const FIX = "see the docs of search: groups, one_way, stop, and the same below lang";

/** The synonyms of a site: read again when the file changes; a mistake leaves the former ones. */
export class SynonymFile {
  readonly #name: string;
  readonly #path: string;
  readonly #log: Logger;
  readonly #lock = new KeyedLock();
  #stamp = "";
  #data: SynonymFileData = synonymFile.parse({});
  readonly #byLang = new Map<string, Synonyms>();
  #version = 0;
  #isRead = false;
  #problems: readonly ContentProblem[] = [];

  /** `name`: the file, relative to the root. */
  constructor(root: string, name: string, log: Logger) {
    this.#name = name;
    this.#path = join(root, name);
    this.#log = log;
  }

  /** The problems of the file; each change creates another array. */
  get problems(): readonly ContentProblem[] {
    return this.#problems;
  }

  /** True once the file was looked for; it may be missing. */
  get isRead(): boolean {
    return this.#isRead;
  }

  /** Increases when other synonyms were read. */
  get version(): number {
    return this.#version;
  }

  /** Reads the file if it changed; true when it did. A call during another one waits for it. */
  refresh(): Promise<boolean> {
    return this.#lock.run("file", () => this.#refresh());
  }

  async #refresh(): Promise<boolean> {
    const stats = await stat(this.#path).catch(() => null);
    this.#isRead = true;
    const stamp = stats === null ? "" : `${stats.mtimeMs} ${stats.size}`;
    if (stamp === this.#stamp) return false;
    this.#stamp = stamp;
    if (this.#problems.length > 0) this.#problems = [];
    const data = stats === null ? synonymFile.parse({}) : await this.#read(stats.size);
    if (data === null) return false;
    this.#data = data;
    this.#byLang.clear();
    this.#version += 1;
    return true;
  }

  /** Those of all languages and of one. */
  of(lang: string): Synonyms {
    const synonyms = this.#byLang.get(lang) ?? new Synonyms(this.#listsOf(lang));
    this.#byLang.set(lang, synonyms);
    return synonyms;
  }

  /** The lists as written, by language; those of all others under an empty one. */
  all(): Readonly<Record<string, readonly SynonymLists[]>> {
    const byLang = Object.keys(this.#data.lang).map((lang) => [lang, this.#listsOf(lang)] as const);
    return Object.fromEntries([...byLang, ["", this.#listsOf("")]]);
  }

  #listsOf(lang: string): SynonymLists[] {
    const { lang: languages, ...all } = this.#data;
    const lists = Object.hasOwn(languages, lang) ? languages[lang] : undefined;
    return lists === undefined ? [all] : [all, lists];
  }

  async #read(size: number): Promise<SynonymFileData | null> {
    if (size > MAX_BYTES) return this.#refuse(`the file has ${size} bytes, at most ${MAX_BYTES}`);
    const bytes = await readFile(this.#path).catch(() => null);
    if (bytes === null) return this.#refuse("the file cannot be read");
    const read = readSynonyms(this.#name, bytes);
    return "message" in read ? this.#refuse(read.message, read.line) : read;
  }

  #refuse(message: string, line?: number): null {
    const at = line === undefined ? {} : { line };
    this.#log.warn("search.synonyms_invalid", {
      file: this.#path,
      ...at,
      problem: message,
      fix: FIX,
    });
    const file = {
      sourcePath: this.#name,
      code: "ERR_SEARCH_SYNONYMS",
      severity: "error",
    } as const;
    this.#problems = [{ ...file, ...at, message, fix: `${FIX}; until then the former ones apply` }];
    return null;
  }
}

/** Keys of the file whose values are lists; `one_way` is a map. */
const LISTS = ["groups", "stop"] as const;
const NO_LISTS: SynonymTextLists = { groups: [], one_way: {}, stop: [] };

/** Reads and writes the file of synonyms; what a change does not touch stays byte for byte. */
export class SynonymEditor implements SynonymSource {
  readonly #file: string;
  readonly #path: string;
  readonly #lock = new KeyedLock();
  readonly #onWrite: () => Promise<void>;

  /** `onWrite` runs after a change. */
  constructor({ settings, paths }: SiteContext, onWrite: () => Promise<void>) {
    this.#path = settings.system.search.similar.synonyms;
    this.#file = join(paths.root, this.#path);
    this.#onWrite = onWrite;
  }

  async read(): Promise<SynonymText> {
    const text = await this.#text();
    const path = this.#path;
    const hash = sha256(text);
    const { data, problem } = parsed(this.#path, text);
    const { lang, ...all } = data ?? { ...NO_LISTS, lang: {} };
    return { path, hash, problem, lists: { "": all, ...lang } };
  }

  write(
    lang: string,
    lists: SynonymTextLists,
    options: SynonymWriteOptions = {},
  ): Promise<SynonymText> {
    return this.#lock.run("file", async () => {
      const next = checked(lists);
      const text = await this.#text();
      if (options.ifHash !== undefined && options.ifHash !== sha256(text)) {
        throw new HttpError(409, `${this.#path} has changed since it was read; read it again`);
      }
      const before = parsed(this.#path, text);
      if (before.data === null) throw new HttpError(409, `${this.#path}: ${before.problem}`);
      const old = lang === "" ? before.data : (before.data.lang[lang] ?? NO_LISTS);
      const prefix = lang === "" ? [] : ["lang", lang];
      await atomicWrite(this.#file, edited(text, prefix, old, next), { access: "shared" });
      await this.#onWrite();
      return this.read();
    });
  }

  #text(): Promise<string> {
    return readFile(this.#file, "utf8").catch((error: NodeJS.ErrnoException) => {
      if (error.code === "ENOENT") return "";
      throw error;
    });
  }
}

function parsed(name: string, text: string) {
  const read = readSynonyms(name, Buffer.from(text));
  if (!("message" in read)) return { data: read, problem: null };
  const prefix = read.line === undefined ? "" : `line ${read.line}: `;
  return { data: null, problem: prefix + read.message };
}

/**
 * Returns valid lists.
 * @throws HttpError 400 naming the list and the place in it.
 */
function checked(lists: SynonymTextLists): SynonymTextLists {
  const { data, mistakes } = readData(synonymLists, lists);
  if (mistakes === null) return data;
  const [{ path, message }] = mistakes;
  throw new HttpError(400, `${path.join(".")}: ${message}`);
}

/** The text of the file with those keys changed whose values differ. */
function edited(
  text: string,
  prefix: readonly string[],
  old: SynonymTextLists,
  next: SynonymTextLists,
): string {
  const lists = LISTS.filter((key) => !isDeepStrictEqual(old[key], next[key])).map((key) => ({
    path: [...prefix, key],
    value: next[key].length === 0 ? undefined : next[key],
  }));
  const words = new Set([...Object.keys(old.one_way), ...Object.keys(next.one_way)]);
  const changed = [...words]
    .filter((word) => !isDeepStrictEqual(old.one_way[word], next.one_way[word]))
    .map((word) => ({ path: [...prefix, "one_way", word], value: next.one_way[word] }));
  return setYamlKeys(text, [...lists, ...changed]);
}
