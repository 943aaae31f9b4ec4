import * as z from "zod";
import { valueAt, formatKey, type KeyPath, nearest, isRecord } from "#lib/values";
import {
  schemaMistakes,
  type SchemaMistake,
  schemaTextsOf,
  acceptsAbsence,
  childSchema,
  schemaAt,
  type Schema,
  expandValues,
  maskSecrets,
} from "#lib/schema";
import type { ConfigFile, Env } from "../contracts.js";
import { locate, mergeLayers, type ConfigLayer } from "./layers.js";
import type { ConfigProblem } from "./problem.js";

/** The values of one file, and what is needed to check them. */
export interface FileInput {
  target: ConfigFile;
  /** The layers of this target only. */
  layers: readonly ConfigLayer[];
  schema: z.ZodObject;
  env: Env;
  /** The unselected plugin that owns a key, and whether it was disabled on purpose. */
  ownerOf(path: KeyPath): { plugin: string; isOff: boolean } | undefined;
  /** Finds where this key belongs: in another file, or in a section. */
  homeOf(path: KeyPath): { file: ConfigFile; path: KeyPath } | undefined;
}
/** One file's settings with all problems. */
export interface FileResult {
  /** Valid settings: invalid values are replaced by their defaults. */
  settings: Record<string, unknown>;
  /** False when a required key is invalid and has no default: the settings are incomplete. */
  isComplete: boolean;
  /** Top-level keys with a problem. */
  faulty: ReadonlySet<string>;
  problems: readonly ConfigProblem[];
  /** Keys of plugins that were disabled on purpose. */
  warnings: readonly ConfigProblem[];
}

interface Context extends FileInput {
  /** Merged, variables not expanded. */
  raw: Record<string, unknown>;
  /** Keys whose variable is unset: reported only as such. */
  unset: ReadonlySet<string>;
  problems: ConfigProblem[];
  warnings: ConfigProblem[];
  faulty: Set<string>;
}

/** Expands the merged layers of one file, applies defaults and validates. */
export function validateFile(input: FileInput): FileResult {
  const { schema } = input;
  const raw = mergeLayers(
    input.layers.map((layer) => {
      const { data, texts } = layer;
      if (texts === undefined) return layer;
      // The blocks of plugins have schemas of their own.
      const blocks = "plugins" in data ? { plugins: data["plugins"] } : {};
      return { ...layer, data: { ...schemaTextsOf(schema, data, texts), ...blocks } };
    }),
  );
  const { value, unset } = expandValues(raw, input.schema, input.env);
  const data = dropEmpty(value, input.schema);
  const context: Context = {
    ...input,
    raw,
    unset: new Set(unset.map(({ path }) => formatKey(path))),
    problems: [],
    warnings: [],
    faulty: new Set(),
  };
  for (const { path, variable } of unset) {
    // An unknown key is reported once, not everything below it. The parser does not see one without a value.
    if (!Object.hasOwn(input.schema.shape, String(path[0]))) {
      if (path.length === 1)
        reportUnknown(context, path, nearest(String(path[0]), Object.keys(input.schema.shape)));
      continue;
    }
    report(context, path, {
      expected: `the environment variable ${variable} to be set`,
      fix: `set ${variable} or remove the key`,
    });
  }
  // Compiling a parser costs more than its single use saves.
  const parsed = input.schema.safeParse(data, { jitless: true });
  for (const mistake of schemaMistakes(input.schema, raw, parsed.error))
    reportMistake(context, mistake);
  const { problems, warnings, faulty } = context;
  const repaired = parsed.success ? parsed : repair(input.schema, data);
  return {
    settings: repaired.data ?? {},
    isComplete: repaired.success,
    faulty,
    problems,
    warnings,
  };
}

/** `key:` without a value means the default, unless the key may be null. */
function dropEmpty(data: unknown, schema: Schema): unknown {
  if (!isRecord(data)) return data;
  const entries = Object.entries(data).flatMap(([key, value]) => {
    const child = childSchema(schema, key);
    if (child && value === null && acceptsAbsence(child) && !z.safeParse(child, null).success)
      return [];
    return [[key, child ? dropEmpty(value, child) : value] as const];
  });
  return Object.fromEntries(entries);
}

/** The settings without the invalid top-level keys, so that checks across keys can still run. */
function repair(schema: z.ZodObject, data: unknown): z.ZodSafeParseResult<Record<string, unknown>> {
  const values = isRecord(data) ? data : {};
  const present = Object.entries(schema.shape).flatMap(([key, field]) => {
    if (Object.hasOwn(values, key) && z.safeParse(field, values[key]).success)
      return [[key, values[key]] as const];
    // A placeholder for a required text such as `title`.
    return acceptsAbsence(field) ? [] : [[key, "-"] as const];
  });
  return schema.safeParse(Object.fromEntries(present));
}

function reportMistake(context: Context, mistake: SchemaMistake): void {
  const { path, received, expected, fix, unknown } = mistake;
  if (unknown !== undefined) reportUnknown(context, path, unknown.meant);
  else if (!context.unset.has(formatKey(path))) {
    // A key that is itself invalid is what was received.
    const key = received === path.at(-1) ? { received } : {};
    report(context, path, { expected, fix, ...key });
  }
}

function reportUnknown(context: Context, path: KeyPath, meant: string | null): void {
  if (reportForeign(context, path)) return;
  const home = context.homeOf(path);
  const isSameKey = home !== undefined && formatKey(home.path) === formatKey(path);
  const target = home === undefined || isSameKey ? "" : `\`${formatKey(home.path)}\` of `;
  const move = home === undefined ? "remove the key" : `move it to ${target}${home.file}.yaml`;
  report(context, path, {
    expected: "a known key",
    fix: meant ? `did you mean "${meant}"?` : move,
  });
}

/** A key of an unselected plugin. */
function reportForeign(context: Context, path: KeyPath): boolean {
  const owner = context.ownerOf(path);
  if (!owner) return false;
  const text = {
    expected: `no such key: \`${formatKey(path)}\` belongs to plugin \`${owner.plugin}\`, which is not selected`,
    fix: `add ${owner.plugin} to \`plugins\`, or remove the key`,
  };
  if (owner.isOff) context.warnings.push(problem(context, path, text));
  else report(context, path, text);
  return true;
}

/** `received` is the value at the path when absent. */
type ProblemText = Pick<ConfigProblem, "expected" | "fix"> &
  Partial<Pick<ConfigProblem, "received">>;

function report(context: Context, path: KeyPath, text: ProblemText): void {
  context.faulty.add(String(path[0]));
  context.problems.push(problem(context, path, text));
}

function problem(context: Context, path: KeyPath, text: ProblemText): ConfigProblem {
  const { file, line, column, path: full } = locate(context.layers, context.target, path);
  return { file, line, column, key: formatKey(full), received: receivedAt(context, path), ...text };
}

/** The value in the file; a literal secret is masked. */
function receivedAt(context: Context, path: KeyPath): unknown {
  return maskSecrets(
    valueAt(context.raw, path),
    schemaAt(context.schema, path),
    String(path.at(-1)),
  );
}
