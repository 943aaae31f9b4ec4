import { isMap, isSeq } from "yaml";
import { sha256 } from "../../secrets/sha256.js";
import type { ConfigFile } from "../../contracts.js";
import { SiteError } from "../../errors.js";
import { patchYaml } from "./patch-yaml.js";
import { readYaml, type YamlDocument } from "./yaml-document.js";

const SEGMENT = /^[A-Za-z0-9_-]{1,64}$/;
const FORBIDDEN: ReadonlySet<string> = new Set(["__proto__", "constructor", "prototype"]);
const MAX_DEPTH = 16;

/** A key and its new value; null removes the key. */
export interface ConfigChange {
  /** Dotted: `author.name`. */
  key: string;
  value: unknown;
}

/** SHA-256 of a configuration file's text, hex. */
export function configHash(text: string): string {
  return sha256(text);
}

/**
 * A configuration text with keys set; everything else stays as it is.
 * @throws ERR_CONFIG_KEY (400) for a key that cannot be set or invalid YAML.
 */
export function setConfigKeys(
  file: ConfigFile,
  text: string,
  changes: readonly ConfigChange[],
): string {
  return changes.reduce(
    (before, { key, value }) => setYamlKey(before, keyPath(file, parseConfig(before), key), value),
    text,
  );
}

/**
 * A configuration text with one key set, by its path; null removes it. Bytes that need not change stay as
 * they are.
 * @throws ERR_CONFIG_KEY (400) for invalid YAML, or a key below a plain value.
 */
export function setYamlKey(text: string, path: readonly string[], value: unknown): string {
  const document = parseConfig(text);
  if (value === null && !document.hasIn(path)) return text;
  setKey(document, path, value);
  assertPlain(document);
  const expected = document.toJS({ maxAliasCount: 100 });
  return patchYaml(text, [path, value], expected) ?? formatConfig(document, text);
}

/**
 * Parses a configuration text into a document; `formatConfig` keeps its comments and order.
 * @throws ERR_CONFIG_KEY (400) for a text that is not a YAML map, or has unbounded aliases.
 */
export function parseConfig(text: string): YamlDocument {
  const document = readYaml(text);
  const [error] = document.errors;
  if (error !== undefined) throw refused(`the file cannot be read: ${error.message}`);
  if (document.contents !== null && !isMap(document.contents)) {
    throw refused("the file is not a map of keys and values");
  }
  assertPlain(document);
  return document;
}

/** Settings must not have aliases that contain themselves or multiply without bound. */
function assertPlain(document: YamlDocument): void {
  try {
    JSON.stringify(document.toJS({ maxAliasCount: 100 }));
  } catch {
    throw refused("the file has too many aliases, or one that names itself or nothing");
  }
}

/** The document as text, with the line endings of its source. */
export function formatConfig(document: YamlDocument, before: string): string {
  const text = document.toString({ lineWidth: 0 });
  return before.includes("\r\n") ? text.replaceAll(/\r?\n/g, "\r\n") : text;
}

function keyPath(file: ConfigFile, document: YamlDocument, key: string): string[] {
  const parts = key.split(".");
  const shown = JSON.stringify(key.slice(0, 80));
  if (parts.length > MAX_DEPTH) throw refused(`key ${shown} has more than ${MAX_DEPTH} parts`);
  if (parts.some((part) => !SEGMENT.test(part) || FORBIDDEN.has(part))) {
    throw refused(`key ${shown} must be letters, digits, _ and -, separated by dots`);
  }
  const isNested = file === "admin" && isMap(document.get("admin")) && parts[0] !== "admin";
  return isNested ? ["admin", ...parts] : parts;
}

/** True when a value can have the key: a map, a list with that item, or nothing yet. */
function canHold(value: unknown, key: string | undefined): boolean {
  if (value === undefined || value === null || isMap(value)) return true;
  return isSeq(value) && Number(key) < value.items.length;
}

function setKey(document: YamlDocument, path: readonly string[], value: unknown): void {
  for (let depth = 1; depth < path.length; depth += 1) {
    const above = path.slice(0, depth);
    const parent = document.getIn(above);
    if (!canHold(parent, path[depth])) {
      throw refused(`key ${JSON.stringify(above.join("."))} is a value and cannot have keys`);
    }
    if (parent === null) document.deleteIn(above);
  }
  if (value === null) {
    if (document.hasIn(path)) document.deleteIn(path);
    return;
  }
  // A plain value replaces the previous one, whose comment stays.
  document.setIn(path, typeof value === "object" ? document.createNode(value) : value);
}

function refused(message: string): SiteError {
  return new SiteError("ERR_CONFIG_KEY", message, { status: 400, fix: "correct the key or file" });
}
