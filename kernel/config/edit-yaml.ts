import { createHash } from "node:crypto";
import { isMap } from "yaml";
import type { ConfigFile } from "../contracts.js";
import { SiteError } from "../errors.js";
import { readYaml, type YamlDocument } from "../yaml-document.js";

const SEGMENT = /^[A-Za-z0-9_-]{1,64}$/;
const FORBIDDEN: ReadonlySet<string> = new Set(["__proto__", "constructor", "prototype"]);
const DEEPEST = 16;

/** A key and its new value; null takes the key out. */
export interface ConfigChange {
  /** Dotted: `author.name`. */
  key: string;
  value: unknown;
}

/** SHA-256 of a configuration file's text, hex. */
export function configHash(text: string): string {
  return createHash("sha256").update(text).digest("hex");
}

/**
 * A configuration text with keys set; everything else stays as it was written.
 * @throws ERR_CONFIG_KEY (400) for a key that cannot be set or a text that is no YAML.
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

/**
 * A configuration text as a document whose comments and order survive `formatConfig`.
 * @throws ERR_CONFIG_KEY (400) for a text that is no YAML map, or whose aliases have no bound.
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

/** Aliases that contain themselves, or multiply without bound, are no settings. */
function assertPlain(document: YamlDocument): void {
  try {
    JSON.stringify(document.toJS({ maxAliasCount: 100 }));
  } catch {
    throw refused("the file's aliases are too many, or contain themselves");
  }
}

/** The document as text, in the line ends of the text it came from. */
export function formatConfig(document: YamlDocument, before: string): string {
  const text = document.toString({ lineWidth: 0 });
  return before.includes("\r\n") ? text.replaceAll(/\r?\n/g, "\r\n") : text;
}

function keyPath(file: ConfigFile, document: YamlDocument, key: string): string[] {
  const parts = key.split(".");
  const shown = JSON.stringify(key.slice(0, 80));
  if (parts.length > DEEPEST) throw refused(`key ${shown} has more than ${DEEPEST} parts`);
  if (parts.some((part) => !SEGMENT.test(part) || FORBIDDEN.has(part))) {
    throw refused(`key ${shown} is not made of letters, digits, _ and -, joined by dots`);
  }
  const isNested = file === "admin" && isMap(document.get("admin")) && parts[0] !== "admin";
  return isNested ? ["admin", ...parts] : parts;
}

function setKey(document: YamlDocument, path: string[], value: unknown): void {
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

function refused(message: string): SiteError {
  return new SiteError("ERR_CONFIG_KEY", message, { status: 400, fix: "correct the key or file" });
}
