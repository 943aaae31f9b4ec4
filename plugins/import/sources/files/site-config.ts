/** The configuration of a site in JavaScript or TypeScript, as a map of data. */
import type { NotImported } from "../../contract.js";
import { Computed, isPlain, readScript } from "../sidebar/script-data.js";

/** The data of a configuration file. */
export interface SiteConfig {
  /** Below the source folder; null without one. */
  readonly file: string | null;
  /** Its plain values; those that are computed are missing. */
  readonly map: Readonly<Record<string, unknown>>;
  /** What only running it would give, for the report. */
  readonly notes: readonly NotImported[];
}

/** The default export of the first of these files that exists; an empty map without one. The file is never run. */
export async function readSiteConfig(root: string, names: readonly string[]): Promise<SiteConfig> {
  for (const file of names) {
    const script = await readScript(root, file);
    if (script === null) continue;
    if ("issue" in script) return { file, map: {}, notes: [note(file, script.line, script.issue)] };
    const computed: Found[] = [];
    const map = plainValue(script.exports["default"], "", computed);
    const notes = computed.map((one) =>
      note(one.file, one.line, `${one.path || "the configuration"} is computed, which is not read`),
    );
    return { file, map: configMap(map), notes };
  }
  return { file: null, map: {}, notes: [] };
}

/** A line for each key that is not in `read`; `themeConfig` counts by its own keys, which are `themeConfig.name`. */
export function unreadKeys({ file, map }: SiteConfig, read: ReadonlySet<string>): NotImported[] {
  if (file === null) return [];
  const keys = Object.entries(map).flatMap(([key, value]) =>
    key === "themeConfig" && isPlain(value)
      ? Object.keys(value).map((one) => `${key}.${one}`)
      : [key],
  );
  return keys
    .filter((key) => !read.has(key))
    .map((key) => ({
      kind: "notImported",
      origin: { file },
      reason: `the setting ${key} has no counterpart`,
    }));
}

/** The map that a configuration exports, also through a function that is not of the file. */
function configMap(value: unknown): Readonly<Record<string, unknown>> {
  if (!isPlain(value)) return {};
  return typeof value["call"] === "string" && isPlain(value["with"]) ? value["with"] : value;
}

/** The first argument of a call in a list, such as `starlight({ … })`; an empty map without one. */
export function callIn(list: unknown, name: string): Readonly<Record<string, unknown>> {
  const calls: unknown[] = Array.isArray(list) ? list : [];
  const call = calls.find((one) => isPlain(one) && one["call"] === name);
  const value = isPlain(call) ? call["with"] : undefined;
  return isPlain(value) ? value : {};
}

/** Where calls of unknown functions are options of a plugin or theme; elsewhere their result is not known. */
const CALL_PLACES = /^$|\]$|^theme$/;

interface Found {
  readonly path: string;
  readonly file: string;
  readonly line: number;
}

/** The value without what is computed, which goes to `computed`. A call with a map is `{ call, with }`. */
function plainValue(value: unknown, path: string, computed: Found[]): unknown {
  if (Array.isArray(value)) {
    return value
      .map((one, at) => plainValue(one, `${path}[${at}]`, computed))
      .filter((one) => one !== undefined);
  }
  if (isPlain(value)) {
    const entries = Object.entries(value).map(([key, one]) => {
      const at = key.startsWith("...") ? "…" : key;
      return [key, plainValue(one, path === "" ? at : `${path}.${at}`, computed)] as const;
    });
    return Object.fromEntries(entries.filter(([, one]) => one !== undefined));
  }
  if (!(value instanceof Computed))
    return typeof value === "object" && value !== null ? undefined : value;
  const { call, file, line } = value;
  if (call === null || !isPlain(call.args[0]) || !CALL_PLACES.test(path)) {
    computed.push({ path, file, line });
    return undefined;
  }
  return { call: call.name, with: plainValue(call.args[0], path, computed) };
}

function note(file: string, line: number, reason: string): NotImported {
  return { kind: "notImported", origin: { file, line }, reason };
}
