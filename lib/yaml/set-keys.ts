/** Edits of files of a site, whose mistakes are those of the person who sends them. */
import { SiteError } from "#lib/errors";
import { isRecord } from "#lib/values";
import { editYaml, type YamlChange } from "./edit.js";
import { readYaml, YamlEditError } from "./reading.js";

/**
 * A configuration text with one key set, by its path; null removes it. Bytes that need not change stay as
 * they are.
 * @throws ERR_CONFIG_KEY (400) for invalid YAML, or a key below a plain value.
 *
 * @example
 * setYamlKey("title: A # the name\n", ["title"], "B"); // title: B # the name
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
    if (error instanceof YamlEditError) throw invalidKey(error.message);
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
    throw invalidKey(`line ${mistake.line}: the file cannot be read: ${mistake.message}`);
  }
  if (values !== null && !isRecord(values)) {
    throw invalidKey("line 1: the file is not a map of keys and values");
  }
  return values ?? {};
}

/** The error of a key that cannot be set, and of a text that is not a map of keys. */
export function invalidKey(message: string): SiteError {
  return new SiteError("ERR_CONFIG_KEY", message, { status: 400, fix: "correct the key or file" });
}
