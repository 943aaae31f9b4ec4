import { createHash } from "node:crypto";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { atomicWrite } from "#kernel";
import { createPause, START_SLICE_MS } from "#lib/concurrency";
import type { SearchEngine } from "../contract.js";
import { partsPrint, type PageSource, type Source } from "./documents.js";
import type { Sources } from "./sources.js";

/** The inputs of an index: a cached index with other inputs is discarded. */
export interface IndexIdentity {
  readonly folder: string;
  readonly engine: string;
  /** The configuration values that affect what is indexed. */
  readonly settings: unknown;
  /** False while another process of the root writes the files. Default: true. */
  mayWrite?(): boolean;
}
interface Manifest {
  readonly identity: string;
  readonly digest: string;
  readonly documents: Readonly<Record<string, string>>;
}

/** The index of the last run in the cache folder: the engine's bytes, and their documents. */
export class IndexFile {
  readonly #folder: string;
  readonly #identity: string;
  readonly #mayWrite: () => boolean;

  constructor({ folder, engine, settings, mayWrite = () => true }: IndexIdentity) {
    this.#folder = folder;
    this.#mayWrite = mayWrite;
    this.#identity = digest(JSON.stringify([4, engine, settings]));
  }

  /**
   * Loads it into the engine; returns its documents by route, or null when there is no valid file.
   */
  async load(engine: SearchEngine): Promise<ReadonlyMap<string, string> | null> {
    if (!engine.load || !engine.update) return null;
    const manifest = await this.#manifest();
    const bytes = manifest && (await readOrNull(join(this.#folder, "search-index.bin")));
    if (!bytes || digest(bytes) !== manifest.digest) return null;
    return (await engine.load(bytes)) ? new Map(Object.entries(manifest.documents)) : null;
  }

  /** Saves the engine's state for the next startup; false when this process may not, or the engine cannot. */
  async save(engine: SearchEngine, sources: Sources): Promise<boolean> {
    if (!engine.save || !engine.load || !engine.update || !this.#mayWrite()) return false;
    const documents = await fingerprints(sources);
    // The index has another version of these texts: the next start reads them again.
    for (const route of sources.unread()) documents.set(route, "");
    const bytes = await engine.save();
    const manifest = {
      identity: this.#identity,
      digest: digest(bytes),
      documents: Object.fromEntries(documents),
    };
    await atomicWrite(
      join(this.#folder, "search-index.bin"),
      Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength),
    );
    await atomicWrite(join(this.#folder, "search-index.json"), JSON.stringify(manifest));
    return true;
  }

  async #manifest(): Promise<Manifest | null> {
    const bytes = await readOrNull(join(this.#folder, "search-index.json"));
    const value: unknown = bytes && parse(bytes.toString());
    return isManifest(value) && value.identity === this.#identity ? value : null;
  }
}

/** Maps a route to the fingerprint of its document, in slices of a few milliseconds. */
export async function fingerprints(
  sources: Pick<Sources, "routes" | "get" | "head">,
): Promise<Map<string, string>> {
  const pause = createPause(START_SLICE_MS);
  const prints = new Map<string, string>();
  for (const route of sources.routes()) {
    const source = sources.get(route);
    if (source) prints.set(route, fingerprint(sources, source));
    await pause();
  }
  return prints;
}

/** The fingerprint of a document. */
export function fingerprint(sources: Pick<Sources, "head">, source: Source): string {
  if (source.kind === "page") return pagePrint(source);
  return digest(JSON.stringify([source.document.body, sources.head(source)])).slice(0, 20);
}

/** The hash of the file, and indexed values that follow from the page's position in the tree. */
function pagePrint({ entry, readers, parts, rules }: PageSource): string {
  const { hash, template, lang, title } = entry;
  const modules = parts.length === 0 ? "" : ` ${digest(partsPrint(parts))}`;
  const types = rules === "" ? "" : ` ${rules}`;
  return `${hash.slice(0, 20)} ${[lang, ...readers].join()} ${template} ${title}${modules}${types}`;
}

function digest(data: string | Uint8Array): string {
  return createHash("sha1").update(data).digest("base64url");
}

async function readOrNull(file: string): Promise<Buffer | null> {
  return readFile(file).catch((error: unknown) => {
    if (error instanceof Error && "code" in error) return null;
    throw error;
  });
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    if (error instanceof SyntaxError) return null;
    throw error;
  }
}

function isManifest(value: unknown): value is Manifest {
  if (typeof value !== "object" || value === null) return false;
  const { identity, digest: bytes, documents } = value as Record<string, unknown>;
  return (
    typeof identity === "string" &&
    typeof bytes === "string" &&
    typeof documents === "object" &&
    documents !== null
  );
}
