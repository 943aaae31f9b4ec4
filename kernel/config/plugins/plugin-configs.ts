import * as z from "zod";
import { valueAt, type KeyPath, isRecord } from "#lib/values";
import {
  schemaMistakes,
  schemaTexts,
  schemaAt,
  type Schema,
  expandValues,
  maskSecrets,
} from "#lib/schema";
import type { Env, Plugin } from "../../contracts.js";
import { mergeTexts } from "../layers.js";
import type { ConfigProblem } from "../problem.js";
import type { ConfigFiles } from "../parse-files.js";
import { pluginProblemAt } from "./plugin-entries.js";

/** The sources of the plugins' blocks. */
export interface PluginConfigOptions {
  /** Expands `$NAME`. */
  env: Env;
  /** Blocks by plugin; one that is missing is found by the plugin's name. */
  entries?: ReadonlyMap<string, Record<string, unknown>> | undefined;
}
type ProblemText = Pick<ConfigProblem, "expected" | "fix">;

/** Each plugin's `config:` block, expanded and validated by the plugin's schema. */
export function resolvePluginConfigs(
  files: ConfigFiles,
  plugins: readonly Plugin[],
  options: PluginConfigOptions,
): { configs: ReadonlyMap<string, unknown>; problems: readonly ConfigProblem[] } {
  const configs = new Map<string, unknown>();
  const problems: ConfigProblem[] = [];
  const written = mergeTexts(files.layers.filter(({ target }) => target === "site"));
  for (const { name, config: schema } of plugins) {
    const block = options.entries?.get(name);
    const at = blockPath(files.plugins, name, block);
    const raw = block ?? valueAt({ plugins: files.plugins }, at) ?? {};
    const data = schema === undefined ? raw : schemaTexts(schema, raw, valueAt(written, at));
    const { value, unset } = expandValues(data, schema, options.env);
    const report = (path: KeyPath, text: ProblemText): void => {
      // A literal secret is masked.
      const received = maskSecrets(
        valueAt(raw, path),
        schema && schemaAt(schema, path),
        String(path.at(-1)),
      );
      problems.push(pluginProblemAt(files, [...at, ...path], { received, ...text }));
    };
    for (const { path, variable } of unset) {
      report(path, {
        expected: `the environment variable ${variable} to be set`,
        fix: `set ${variable} or remove the key`,
      });
    }
    configs.set(name, schema ? parseBlock(schema, value, report) : value);
  }
  return { configs, problems };
}

function parseBlock(
  schema: Schema,
  value: unknown,
  report: (path: KeyPath, text: ProblemText) => void,
): unknown {
  const parsed = z.safeParse(schema, value);
  for (const { path, expected, fix } of schemaMistakes(schema, value, parsed.error))
    report(path, { expected, fix });
  return parsed.data;
}

/** The path of the block: found by identity, else by the plugin's name. */
function blockPath(
  plugins: unknown,
  name: string,
  block: Record<string, unknown> | undefined,
): KeyPath {
  const entries = Array.isArray(plugins)
    ? plugins.map((value: unknown, index) => [index, value] as const)
    : Object.entries(isRecord(plugins) ? plugins : {});
  const isTheOne = (key: string | number, value: unknown): boolean => {
    if (!isRecord(value)) return false;
    if (block && value["config"] === block) return true;
    return key === name || value["name"] === name || value["src"] === name;
  };
  const entry = entries.find(([key, value]) => isTheOne(key, value));
  return entry ? ["plugins", entry[0], "config"] : ["plugins"];
}

/**
 * The argument of a plugin's factory: its `config:` block with variables expanded and, if it is valid
 * for the schema beside the factory, with defaults. An invalid block is passed as it is; the check of
 * the whole configuration reports it.
 */
export function factoryBlock(
  schema: unknown,
  block: Readonly<Record<string, unknown>>,
  env: Env,
): Record<string, unknown> {
  const usable = isSchema(schema) ? schema : undefined;
  const { value } = expandValues(block, usable, env);
  const parsed = usable === undefined ? undefined : z.safeParse(usable, value);
  const values: unknown = parsed?.success === true ? parsed.data : value;
  return typeof values === "object" && values !== null ? { ...values } : {};
}

/** Also true for a schema of another copy of zod. */
function isSchema(value: unknown): value is z.ZodType {
  return typeof value === "object" && value !== null && "_zod" in value;
}
