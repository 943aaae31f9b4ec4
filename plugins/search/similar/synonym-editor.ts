import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { isDeepStrictEqual } from "node:util";
import { atomicWrite, HttpError, KeyedLock, type SiteContext } from "#kernel";
import { readData, setYamlKeys, sha256 } from "#kernel/internal";
import type { SynonymSource, SynonymText, SynonymTextLists } from "../contract.js";
import { readSynonyms, synonymLists } from "./synonym-file.js";

/** The parts of the file that are lists; `one_way` has keys of its own. */
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
    options: { ifHash?: string } = {},
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
      await atomicWrite(this.#file, edited(text, prefix, { old, next }), { access: "shared" });
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
  const place = read.line === undefined ? "" : `line ${read.line}: `;
  return { data: null, problem: place + read.message };
}

/** @throws HttpError 400 naming the list and the place in it. */
function checked(lists: SynonymTextLists): SynonymTextLists {
  const { data, mistakes } = readData(synonymLists, lists);
  if (mistakes === null) return data;
  const [{ path, message }] = mistakes;
  throw new HttpError(400, `${path.join(".")}: ${message}`);
}

function edited(
  text: string,
  prefix: readonly string[],
  { old, next }: { old: SynonymTextLists; next: SynonymTextLists },
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
