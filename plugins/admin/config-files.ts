import { createHash } from "node:crypto";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { isMap, parseDocument, type Document } from "yaml";
import { atomicWrite, HttpError, KeyedLock, type ConfigFile, type SiteContext } from "#kernel";

const SEGMENT = /^[A-Za-z0-9_-]{1,64}$/;
const FORBIDDEN: ReadonlySet<string> = new Set(["__proto__", "constructor", "prototype"]);
const DEEPEST = 16;
const LARGEST = 1_048_576;

/** A key and its new value; null takes the key out. */
export interface ConfigChange {
  /** Dotted: `author.name`. */
  key: string;
  value: unknown;
}
/** A configuration file as it stands. */
export interface ConfigText {
  /** Relative to the site root; where it would be made when it is not there. */
  path: string;
  exists: boolean;
  text: string;
  /** SHA-256 of the text, hex. */
  hash: string;
}

type Site = Pick<SiteContext, "paths" | "checkConfig">;

/** The three configuration files: comments and order stay, and what would not be valid is not written. */
export class ConfigFiles {
  readonly #site: Site;
  readonly #lock = new KeyedLock();

  constructor(site: Site) {
    this.#site = site;
  }

  async read(file: ConfigFile): Promise<ConfigText> {
    const { root } = this.#site.paths;
    for (const path of [`${file}.yaml`, `config/${file}.yaml`]) {
      const text = await readFile(join(root, path), "utf8").catch(() => null);
      if (text !== null) return { path, exists: true, text, hash: configHash(text) };
    }
    const others = await Promise.all(
      ["site", "system", "admin"].map((name) =>
        readFile(join(root, `config/${name}.yaml`)).then(
          () => true,
          () => false,
        ),
      ),
    );
    const folder = others.includes(true) ? "config/" : "";
    return { path: `${folder}${file}.yaml`, exists: false, text: "", hash: configHash("") };
  }

  /**
   * Makes a file's next text and writes it; answers the text that stands.
   * @throws ERR_ADMIN_CONFLICT (409) when `ifHash` is not the file's, ERR_ADMIN_CONFIG (400) with
   * every problem when the result would not be valid; the file then stands as it was.
   */
  edit(
    file: ConfigFile,
    next: (before: ConfigText) => string,
    options: { ifHash?: string } = {},
  ): Promise<ConfigText> {
    return this.#lock.run(file, async () => {
      const before = await this.read(file);
      if (options.ifHash !== undefined && options.ifHash !== before.hash) {
        throw new HttpError(409, `${before.path} has changed since it was read`, {
          code: "ERR_ADMIN_CONFLICT",
        });
      }
      const text = next(before);
      await this.check(before.path, text);
      if (text !== before.text) await atomicWrite(join(this.#site.paths.root, before.path), text);
      return { path: before.path, exists: true, text, hash: configHash(text) };
    });
  }

  /** @throws ERR_ADMIN_CONFIG (400). */
  async check(path: string, text: string): Promise<void> {
    if (Buffer.byteLength(text) > LARGEST) {
      throw new HttpError(413, `${path} would be larger than ${LARGEST} bytes`);
    }
    const problems = await this.#site.checkConfig(path, text);
    const [first] = problems;
    if (first === undefined) return;
    const place = first.key === "" ? first.file : `${first.file}: ${first.key}`;
    const fix = first.fix === "" ? "" : `; ${first.fix}`;
    throw new HttpError(400, `${place}: expected ${first.expected}${fix}`, {
      code: "ERR_ADMIN_CONFIG",
      details: problems,
    });
  }
}

/** Digest of a configuration file's text. */
export function configHash(text: string): string {
  return createHash("sha256").update(text).digest("hex");
}

/**
 * A configuration text with keys set; everything else stays as it was written.
 * @throws ERR_ADMIN_CONFIG_KEY (400) for a key that cannot be set or a text that is no YAML.
 */
export function setConfigKeys(
  file: ConfigFile,
  text: string,
  changes: readonly ConfigChange[],
): string {
  const document = parseConfig(text);
  for (const { key, value } of changes) setKey(document, keyPath(file, document, key), value);
  return formatConfig(document, text);
}

/** @throws ERR_ADMIN_CONFIG_KEY (400) for a text that is no YAML map. */
export function parseConfig(text: string): Document.Parsed {
  const document = parseDocument(text);
  const [error] = document.errors;
  if (error !== undefined) throw refused(`the file cannot be read: ${error.message}`);
  if (document.contents !== null && !isMap(document.contents)) {
    throw refused("the file is not a map of keys and values");
  }
  assertPlain(document);
  return document;
}

/** Aliases that contain themselves, or multiply without bound, are no settings. */
function assertPlain(document: Document.Parsed): void {
  try {
    JSON.stringify(document.toJS({ maxAliasCount: 100 }));
  } catch {
    throw refused("the file's aliases are too many, or contain themselves");
  }
}

/** The document as text, in the line ends of the text it came from. */
export function formatConfig(document: Document.Parsed, before: string): string {
  const text = document.toString({ lineWidth: 0 });
  return before.includes("\r\n") ? text.replaceAll(/\r?\n/g, "\r\n") : text;
}

function keyPath(file: ConfigFile, document: Document.Parsed, key: string): string[] {
  const parts = key.split(".");
  const shown = JSON.stringify(key.slice(0, 80));
  if (parts.length > DEEPEST) throw refused(`key ${shown} has more than ${DEEPEST} parts`);
  if (parts.some((part) => !SEGMENT.test(part) || FORBIDDEN.has(part))) {
    throw refused(`key ${shown} is not made of letters, digits, _ and -, joined by dots`);
  }
  const isNested = file === "admin" && isMap(document.get("admin")) && parts[0] !== "admin";
  return isNested ? ["admin", ...parts] : parts;
}

function setKey(document: Document.Parsed, path: string[], value: unknown): void {
  for (let depth = 1; depth < path.length; depth += 1) {
    const above = path.slice(0, depth);
    const parent = document.getIn(above);
    if (parent !== undefined && parent !== null && !isMap(parent)) {
      throw refused(`key ${JSON.stringify(above.join("."))} holds a value, not further keys`);
    }
    if (parent === null) document.deleteIn(above);
  }
  if (value === null) {
    if (document.hasIn(path)) document.deleteIn(path);
    return;
  }
  // A plain value takes the place of the one before it, whose comment stays.
  document.setIn(path, typeof value === "object" ? document.createNode(value) : value);
}

function refused(message: string): HttpError {
  return new HttpError(400, message, { code: "ERR_ADMIN_CONFIG_KEY" });
}
