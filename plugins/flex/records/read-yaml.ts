import { LineCounter } from "yaml";
import { isRecord } from "#kernel";
import { lineOf, readYaml, textsOf } from "#lib/yaml";

/** A map of a YAML file, or an error. */
export type YamlResult =
  | {
      readonly ok: true;
      readonly value: Readonly<Record<string, unknown>>;
      /** The same with numbers and booleans as they are written. */
      readonly texts: unknown;
      /** The line of the key at a path, or of the nearest one above. */
      lineOf(path: readonly (string | number)[]): number;
    }
  | { readonly ok: false; readonly message: string; readonly line: number };

/** Maximum file size, in characters. */
const LONGEST = 1_000_000;
/** Maximum alias expansions, against alias bombs. */
const MAX_ALIASES = 100;

/** Reads a map from YAML: core schema, unique keys, no tags of its own. Never throws. */
export function readYamlMap(text: string): YamlResult {
  if (text.length > LONGEST) return failed(`longer than ${LONGEST} characters`);
  const lines = new LineCounter();
  try {
    const document = readYaml(text, { lineCounter: lines });
    const [error] = [...document.errors, ...document.warnings];
    if (error !== undefined) {
      return failed(`${error.message}; ${error.fix}`, lines.linePos(error.pos[0]).line);
    }
    const value: unknown = document.toJS({ maxAliasCount: MAX_ALIASES });
    if (!isRecord(value)) return failed("not a map of keys to values");
    const texts = textsOf(document, value);
    return { ok: true, value, texts, lineOf: (path) => lineOf(text, document, path) };
  } catch (error) {
    return failed(error instanceof Error ? error.message : String(error));
  }
}

function failed(message: string, line = 1): YamlResult {
  return { ok: false, message: message.split("\n", 1)[0] ?? "", line };
}
