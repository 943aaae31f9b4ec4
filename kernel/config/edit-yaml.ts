import { configValues, invalidKey, setYamlKeys } from "#lib/yaml";
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

/** `isNested`: the file has its keys in a map `admin`. */
function keyPath(key: string, isNested: boolean): string[] {
  const parts = key.split(".");
  const shown = JSON.stringify(key.slice(0, 80));
  if (parts.length > MAX_DEPTH) throw invalidKey(`key ${shown} has more than ${MAX_DEPTH} parts`);
  if (parts.some((part) => !SEGMENT.test(part) || FORBIDDEN.has(part))) {
    throw invalidKey(`key ${shown} must be letters, digits, _ and -, separated by dots`);
  }
  return isNested && parts[0] !== "admin" ? ["admin", ...parts] : parts;
}
