import { formatKey, type KeyPath, isRecord } from "#lib/values";
import type { ConfigFile, InspectedSite, Plugin, Settings, SettingsProblem } from "../contracts.js";
import { folderProblems } from "./folder-keys.js";
import { locate, sourceOf, type ConfigLayer } from "./layers.js";
import type { MergedSchemas } from "./merge-schemas.js";
import type { ConfigProblem } from "./problem.js";
import type { FileResult } from "./validate-file.js";

/** The input of the checks. */
export interface CheckInput {
  /** Absolute site root. */
  root: string;
  schemas: MergedSchemas;
  settings: Settings;
  results: Readonly<Record<ConfigFile, FileResult>>;
  layersOf(file: ConfigFile): readonly ConfigLayer[];
  /** Present for `config:validate`: also run the checks against the site's folder. */
  place?: InspectedSite | undefined;
}

/** The checks across keys, of folders and of the plugins; keys that a schema has already rejected are not reported again. */
export function runChecks(plugins: readonly Plugin[], input: CheckInput): ConfigProblem[] {
  const isUsable = Object.values(input.results).every(({ isComplete }) => isComplete);
  if (!isUsable) return [];
  const { root, schemas, settings, layersOf } = input;
  const folders = folderProblems({
    root,
    schemas,
    settings,
    isSet: (file, path) => sourceOf(layersOf(file), path) !== undefined,
  });
  return [...folders, ...plugins.flatMap((plugin) => checksOf(plugin, input))]
    .filter(
      ({ file, key }) =>
        !input.results[file].faulty.has(splitKey(key, input.settings[file])[0]?.toString() ?? ""),
    )
    .map((problem) => placed(problem, input));
}

function checksOf(plugin: Plugin, { settings, place }: CheckInput): readonly SettingsProblem[] {
  const found = plugin.check?.(settings) ?? [];
  return place === undefined ? found : [...found, ...(plugin.inspect?.(settings, place) ?? [])];
}

function placed({ file: target, key, ...text }: SettingsProblem, input: CheckInput): ConfigProblem {
  const path = splitKey(key, input.settings[target]);
  const { file, line, column, path: full } = locate(input.layersOf(target), target, path);
  return { file, line, column, key: formatKey(full), ...text };
}

/** Splits `redirects./a.b` or `webhooks[0].url` into a path: keys may contain dots, so the values decide. */
export function splitKey(key: string, data: unknown): KeyPath {
  const path: (string | number)[] = [];
  let value = data;
  let rest = key;
  while (rest !== "") {
    const [part, length] = firstPart(rest, value);
    path.push(part);
    value = isRecord(value) ? value[part] : Array.isArray(value) ? value[Number(part)] : undefined;
    rest = rest.slice(length).replace(/^\./, "");
  }
  return path;
}

function firstPart(text: string, value: unknown): [part: string | number, length: number] {
  const index = /^\[(\d+)\]|^(\d+)(?=\.|$)/.exec(text);
  if (index && Array.isArray(value)) return [Number(index[1] ?? index[2]), index[0].length];
  const known = isRecord(value)
    ? Object.keys(value).filter((name) => startsWithKey(text, name))
    : [];
  const longest = known.toSorted((a, b) => b.length - a.length)[0];
  if (longest !== undefined) return [longest, longest.length];
  const plain = /^[^.[]+/.exec(text)?.[0] ?? text;
  return [plain, plain.length];
}

function startsWithKey(text: string, name: string): boolean {
  return name !== "" && text.startsWith(name) && /^($|[.[])/.test(text.slice(name.length));
}
