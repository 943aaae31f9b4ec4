import { readFile, stat } from "node:fs/promises";
import { z } from "zod";
import type { Logger } from "#kernel";
import { readYaml } from "#kernel/internal";
import { Synonyms, type SynonymLists } from "./synonyms.js";

const word = z.string().min(1).max(100);
const listShape = {
  groups: z.array(z.array(word).min(2).max(50)).max(2000).default([]),
  one_way: z.record(word, z.array(word).max(50)).default({}),
  stop: z.array(word).max(2000).default([]),
};
/** The lists of all languages, or of one. */
export const synonymLists = z.strictObject(listShape);
/** What the file of synonyms may contain. */
export const synonymFile = z.strictObject({
  ...listShape,
  lang: z.record(z.string(), synonymLists).default({}),
});
type SynonymFileData = z.output<typeof synonymFile>;

const MAX_BYTES = 1024 * 1024;
const FIX = "see the docs of search: groups, one_way, stop, and the same below lang";

/** The synonyms of a site: read again when the file changes; a mistake leaves the former ones. */
export class SynonymFile {
  readonly #path: string;
  readonly #log: Logger;
  #stamp = "";
  #data: SynonymFileData = synonymFile.parse({});
  readonly #byLang = new Map<string, Synonyms>();
  #version = 0;

  constructor(path: string, log: Logger) {
    this.#path = path;
    this.#log = log;
  }

  /** Increases when other synonyms were read. */
  get version(): number {
    return this.#version;
  }

  /** Reads the file if it changed; true when it did. */
  async refresh(): Promise<boolean> {
    const stats = await stat(this.#path).catch(() => null);
    const stamp = stats === null ? "" : `${stats.mtimeMs} ${stats.size}`;
    if (stamp === this.#stamp) return false;
    this.#stamp = stamp;
    const data = stats === null ? synonymFile.parse({}) : await this.#read(stats.size);
    if (data === null) return false;
    this.#data = data;
    this.#byLang.clear();
    this.#version += 1;
    return true;
  }

  /** Those of all languages and of one. */
  of(lang: string): Synonyms {
    const known = this.#byLang.get(lang) ?? new Synonyms(this.#listsOf(lang));
    this.#byLang.set(lang, known);
    return known;
  }

  /** The lists as written, by language; those of all others under an empty one. */
  all(): Readonly<Record<string, readonly SynonymLists[]>> {
    const own = Object.keys(this.#data.lang).map((lang) => [lang, this.#listsOf(lang)] as const);
    return Object.fromEntries([...own, ["", this.#listsOf("")]]);
  }

  #listsOf(lang: string): SynonymLists[] {
    const { lang: languages, ...all } = this.#data;
    const own = Object.hasOwn(languages, lang) ? languages[lang] : undefined;
    return own === undefined ? [all] : [all, own];
  }

  async #read(size: number): Promise<SynonymFileData | null> {
    if (size > MAX_BYTES) return this.#refuse(`the file has ${size} bytes, at most ${MAX_BYTES}`);
    const text = await readFile(this.#path, "utf8").catch(() => null);
    if (text === null) return this.#refuse("the file cannot be read");
    const document = readYaml(text);
    const [mistake] = document.errors;
    if (mistake !== undefined) {
      const line = text.slice(0, mistake.pos[0]).split("\n").length;
      return this.#refuse(mistake.message, line);
    }
    const parsed = synonymFile.safeParse(document.toJS({ maxAliasCount: 100 }) ?? {});
    if (parsed.success) return parsed.data;
    const [issue] = parsed.error.issues;
    return this.#refuse(`${issue?.path.join(".") ?? ""}: ${issue?.message ?? "not readable"}`);
  }

  #refuse(problem: string, line?: number): null {
    const at = line === undefined ? {} : { line };
    this.#log.warn("search.synonyms_invalid", { file: this.#path, ...at, problem, fix: FIX });
    return null;
  }
}
