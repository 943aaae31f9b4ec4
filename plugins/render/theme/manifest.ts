import { readFileSync } from "node:fs";
import { basename, dirname, join, relative } from "node:path";
import { z } from "zod";
import { FieldKinds, isRecord, type Field, type SiteError } from "#kernel";
import {
  definitionTexts,
  isEmpty,
  readFields,
  type FieldProblem,
  type KindLookup,
} from "#lib/fields";
import { causeOf, formatKey } from "#lib/values";
import { readData, schemaTexts } from "#lib/schema";
import { nearestLine, parseYamlSource, type YamlSource } from "#lib/yaml";
import type { CollectionQuery } from "../../content/contract.js";
import { StrictCollectionSchema } from "../page/views/collection-view.js";
import { renderFailure } from "../errors.js";

const MANIFEST = "theme.yaml";

/** Controls that show the options of their setting. */
const CHOICES: readonly string[] = ["select", "radio", "checkboxes"];

const definition = z.record(z.string(), z.unknown());
const ManifestFile = z.strictObject({
  name: z.string().optional(),
  version: z.string().default("0.0.0"),
  description: z.string().default(""),
  parent: z.string().nullable().default(null),
  config_schema: z.record(z.string(), definition).default({}),
  collections: z.record(z.string(), StrictCollectionSchema).default({}),
  looks: z
    .record(
      z.string().regex(/^[a-z0-9][a-z0-9_-]*$/, {
        error: "a name of small letters, digits and dashes, such as paper",
      }),
      z.string(),
    )
    .default({}),
  colors: z
    .array(
      z.string().regex(/^#[0-9a-f]{6}$/i, { error: "a colour of six digits, such as #0b6e99" }),
    )
    .max(8)
    .default([]),
  // The site does not read these keys.
  author: z.unknown().optional(),
  license: z.unknown().optional(),
  homepage: z.unknown().optional(),
});

/** The contents of `theme.yaml`. */
export interface Manifest {
  version: string;
  description: string;
  parent: string | null;
  /** Defaults from `config_schema`. */
  defaults: Readonly<Record<string, unknown>>;
  /** Its settings as `config_schema` describes them: fields by name. */
  fields: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
  /** Its main colors, `#rrggbb`, for lists of themes. */
  colors: readonly string[];
  /** Descriptions of its looks by name, the default first. */
  looks: Readonly<Record<string, string>>;
  /** Template to the default collection of its pages. */
  collections: Readonly<Record<string, CollectionQuery>>;
}

/** The location of a manifest. */
export interface ManifestPlace {
  /** Absolute folder of the theme. */
  readonly folder: string;
  /** Absolute site root: messages name the file below it. */
  readonly root: string;
}

/** The kinds that first-party plugins add, whose values are checked when these plugins are set up. */
export const ADDED_KINDS: readonly string[] = [
  "page",
  "pages",
  "user",
  "media",
  "record",
  "records",
];

/** The kinds that are known now, and any other: a plugin may add it. */
export function openKinds(kinds: KindLookup = new FieldKinds()): KindLookup {
  const listed = new Map(kinds.names.map((name) => [name, kinds.get(name)]));
  return { names: kinds.names, get: (name) => listed.get(name) ?? kinds.get("json") };
}

/** The kinds of a site without plugins of its own, before any plugin is set up. */
export function declaredKinds(): KindLookup {
  const kinds = new FieldKinds();
  const other = kinds.get("json");
  return {
    names: [...kinds.names, ...ADDED_KINDS],
    get: (name) => kinds.get(name) ?? (ADDED_KINDS.includes(name) ? other : undefined),
  };
}

/**
 * Reads `theme.yaml` of a theme's folder; without it, the theme only has the name of its folder. `root`: the
 * absolute site root, from which messages name the file. `kinds`: those that settings may have.
 * @throws ERR_THEME_MANIFEST with file, line and reason.
 */
export function readManifest(
  folder: string,
  root: string,
  kinds: KindLookup = openKinds(),
): Manifest {
  const source = readSource(folder);
  const failed = (path: readonly (string | number)[], why: string, fix: string): Error =>
    manifestFailure({ folder, root }, { path, why, fix });
  const [broken] = source.problems;
  if (broken !== undefined) {
    const line = { line: broken.line };
    throw manifestFailure({ folder, root }, { why: causeOf(broken), fix: broken.fix, ...line });
  }
  const read = readData(ManifestFile, schemaTexts(ManifestFile, source.data, source.texts));
  if (read.mistakes !== null) {
    const [{ path, received, expected, fix, unknown }] = read.mistakes;
    const key = formatKey(path);
    if (unknown === undefined) throw failed(path, causeOf({ key, received, expected }), fix);
    const meant = unknown.meant === null ? fix : `did you mean ${unknown.meant}?`;
    throw failed(path, `unknown key ${JSON.stringify(key)}`, meant);
  }
  const { version, description, parent, colors, looks, collections } = read.data;
  const definitions = readDefinitions(source, read.data.config_schema, kinds);
  const { fields, problems } = settingFields(definitions, kinds);
  const [problem] = problems;
  if (problem !== undefined) {
    const path = ["config_schema", ...problem.path.slice(1)];
    const key = formatKey(path);
    const isUnknown = problem.message === "unknown key";
    const text = isUnknown ? `unknown key ${JSON.stringify(key)}` : `${key}: ${problem.message}`;
    const { fix = "correct the setting" } = problem;
    const isMisspeltKind = path.at(-1) === "type" && fix.startsWith("did you mean");
    const why = isMisspeltKind ? `${text} (there are: ${kinds.names.join(", ")})` : text;
    throw failed(path, why, fix);
  }
  const defaults = Object.entries(definitions).map(([name, definition]): [string, unknown] => {
    const field = fields.find((one) => one.name === name);
    return [name, isEmpty(definition["default"]) ? definition["default"] : field?.default];
  });
  return {
    version,
    description,
    parent,
    defaults: Object.fromEntries(defaults),
    fields: definitions,
    colors,
    looks,
    collections,
  };
}

/** The settings as fields; one without a type may have any value. */
export function settingFields(
  definitions: Manifest["fields"],
  kinds: KindLookup,
): ReturnType<typeof readFields> {
  const typed = Object.entries(definitions).map(([name, definition]) => [
    name,
    Object.hasOwn(definition, "type") ? definition : { ...definition, type: "json" },
  ]);
  const { fields, problems } = readFields(Object.fromEntries(typed), kinds);
  const others = fields.flatMap((field) => [...momentProblem(field), ...optionsProblem(field)]);
  return { fields, problems: [...problems, ...others] };
}

function optionsProblem({ name, kind, options }: Field): FieldProblem[] {
  if (options.length > 0 || !CHOICES.includes(kind.control)) return [];
  const fix = "write options: { light: Light, dark: Dark }, or a list";
  const message = "expected the values to choose from";
  return [{ path: ["fields", name, "options"], message, fix }];
}

/** `default: now` is the moment of a creation, which a setting has none of. */
function momentProblem({ name, defaultsToNow }: Field): FieldProblem[] {
  if (!defaultsToNow) return [];
  const message = 'received "now", expected a fixed value';
  return [{ path: ["fields", name, "default"], message }];
}

/** The definitions with labels and defaults as they are written: `label: 2.0`. */
function readDefinitions(
  { texts }: YamlSource,
  settings: Manifest["fields"],
  kinds: KindLookup,
): Manifest["fields"] {
  const written = isRecord(texts) ? texts["config_schema"] : undefined;
  const { fields } = definitionTexts({ fields: settings }, { fields: written }, kinds);
  return z.record(z.string(), definition).parse(fields);
}

/** A mistake in a manifest. */
export interface ManifestMistake {
  /** Keys that lead to it. */
  readonly path?: readonly (string | number)[];
  /** Default: the line of the path. */
  readonly line?: number;
  readonly why: string;
  readonly fix: string;
}

/** ERR_THEME_MANIFEST, or another code, with file and line. */
export function manifestFailure(
  { folder, root }: ManifestPlace,
  { path = [], why, fix, ...mistake }: ManifestMistake,
  code: "ERR_THEME_MANIFEST" | "ERR_THEME_MISSING" | "ERR_THEME_CYCLE" = "ERR_THEME_MANIFEST",
): SiteError {
  const line = mistake.line ?? nearestLine(readSource(folder), path) ?? 1;
  const inRoot = relative(root, join(folder, MANIFEST));
  const shown = inRoot.startsWith("..") ? join(basename(dirname(inRoot)), MANIFEST) : inRoot;
  // The cause has the position, as the first cause of every error tells it.
  const cause = new Error(`${why}\n${join(folder, MANIFEST)}:${line}:1`);
  return renderFailure(code, `${shown}:${line}: ${why}`, { fix, cause });
}

function readSource(folder: string): YamlSource {
  return parseYamlSource(MANIFEST, readBytes(join(folder, MANIFEST)));
}

function readBytes(file: string): Uint8Array {
  try {
    return readFileSync(file);
  } catch {
    return new Uint8Array();
  }
}
