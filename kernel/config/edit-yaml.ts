import { editYaml, readYaml, YamlEditError, type YamlChange } from "#lib/yaml";
import { sha256 } from "#lib/secrets";
import { SiteError } from "#lib/errors";
import { isRecord } from "#lib/values";
import type { ConfigFile } from "../contracts.js";

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
  const values = configValues(text);
  const isNested = file === "admin" && isRecord(values.admin);
  return setYamlKeys(
    text,
    changes.map(({ key, value }) => ({
      path: keyPath(key, isNested),
      value: value ?? undefined,
    })),
  );
}

/**
 * A configuration text with one key set, by its path; null removes it. Bytes that need not change stay as
 * they are.
 * @throws ERR_CONFIG_KEY (400) for invalid YAML, or a key below a plain value.
 */
export function setYamlKey(text: string, path: readonly string[], value: unknown): string {
  return setYamlKeys(text, [{ path, value: value ?? undefined }]);
}

/**
 * A configuration text with keys set, by their paths; undefined removes one.
 * @throws ERR_CONFIG_KEY (400), see `setYamlKey`.
 */
export function setYamlKeys(text: string, changes: readonly YamlChange[]): string {
  try {
    return editYaml(text, changes);
  } catch (error) {
    if (error instanceof YamlEditError) throw refused(error.message);
    throw error;
  }
}

/**
 * The values of a configuration text; a text without any is `{}`.
 * @throws ERR_CONFIG_KEY (400) for a text that is not a YAML map, or has unbounded aliases.
 */
export function configValues(text: string): Readonly<Record<string, unknown>> {
  const { mistake, values } = readYaml(text);
  if (mistake !== null) {
    throw refused(`line ${mistake.line}: the file cannot be read: ${mistake.message}`);
  }
  if (values !== null && !isRecord(values)) {
    throw refused("line 1: the file is not a map of keys and values");
  }
  return values ?? {};
}

/** `isNested`: the file has its keys in a map `admin`. */
function keyPath(key: string, isNested: boolean): string[] {
  const parts = key.split(".");
  const shown = JSON.stringify(key.slice(0, 80));
  if (parts.length > MAX_DEPTH) throw refused(`key ${shown} has more than ${MAX_DEPTH} parts`);
  if (parts.some((part) => !SEGMENT.test(part) || FORBIDDEN.has(part))) {
    throw refused(`key ${shown} must be letters, digits, _ and -, separated by dots`);
  }
  return isNested && parts[0] !== "admin" ? ["admin", ...parts] : parts;
}

function refused(message: string): SiteError {
  return new SiteError("ERR_CONFIG_KEY", message, { status: 400, fix: "correct the key or file" });
}
