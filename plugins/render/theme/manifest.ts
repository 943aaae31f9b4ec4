import { readFileSync } from "node:fs";
import { basename, dirname, join, relative } from "node:path";
import { z } from "zod";
import { isRecord } from "#kernel";
import { nearest, schemaTexts } from "#kernel/internal";
import { readYaml, textsOf } from "#lib/yaml";
import type { CollectionQuery } from "../../content/contract.js";
import { CollectionQuerySchema } from "../page/views/collection-query.js";
import { renderFailure } from "../errors.js";
import { lineAt, lineOf } from "../yaml-lines.js";

const MANIFEST = "theme.yaml";

const Setting = z.looseObject({ default: z.unknown().optional() });
const ManifestFile = z.looseObject({
  name: z.string().optional(),
  version: z.string().default("0.0.0"),
  description: z.string().default(""),
  parent: z.string().nullable().default(null),
  config_schema: z.record(z.string(), Setting).default({}),
  collections: z.record(z.string(), CollectionQuerySchema).default({}),
  colors: z
    .array(z.string().regex(/^#[0-9a-f]{6}$/i))
    .max(8)
    .default([]),
});

/** The keys of the file; the last three are for people only. */
const KEYS: readonly string[] = [
  ...Object.keys(ManifestFile.shape),
  "author",
  "license",
  "homepage",
];
/** The keys of a setting; a kind of fields may read more. */
const SETTING_KEYS: readonly string[] = [
  "type",
  "label",
  "help",
  "required",
  "default",
  "options",
  "validate",
  "when",
  "group",
  "tab",
  "fields",
];

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
  /** Template to the default collection of its pages. */
  collections: Readonly<Record<string, CollectionQuery>>;
}

/**
 * Reads `theme.yaml` of a theme's folder; without it, the theme only has the name of its folder. `root`: the
 * absolute site root, from which messages name the file.
 * @throws ERR_THEME_MANIFEST with file, line and reason.
 */
export function readManifest(folder: string, root: string): Manifest {
  const file: ManifestPlace = { path: join(folder, MANIFEST), root };
  const text = textOf(file.path);
  const { data, contents } = dataOf(file, text);
  const parsed = ManifestFile.safeParse(data ?? {}, { jitless: true });
  if (!parsed.success) {
    const { path, message } = parsed.error.issues[0] ?? { path: [], message: "invalid" };
    throw invalid(file, `${path.join(".")}: ${message}`, lineOf(text, contents, path));
  }
  const unknown = isRecord(data) ? unknownKey(data, parsed.data.config_schema) : null;
  if (unknown !== null) {
    throw invalid(file, unknown.why, lineOf(text, contents, unknown.path), unknown.fix);
  }
  const { version, description, parent, config_schema: fields, ...more } = parsed.data;
  const defaults = Object.fromEntries(
    Object.entries(fields).map(([key, setting]) => [key, setting.default]),
  );
  const { collections, colors } = more;
  return { version, description, parent, defaults, fields, colors, collections };
}

interface ManifestPlace {
  /** Absolute path of the file. */
  readonly path: string;
  /** Absolute site root: messages name the file below it. */
  readonly root: string;
}

interface UnknownKey {
  why: string;
  fix: string;
  path: readonly string[];
}

/** A key that nothing reads: any of the file, and one of a setting that is almost a known one. */
function unknownKey(data: object, settings: Manifest["fields"]): UnknownKey | null {
  const key = Object.keys(data).find((one) => !KEYS.includes(one));
  if (key !== undefined) {
    const meant = nearest(key, KEYS);
    const fix = meant === null ? `use one of ${KEYS.join(", ")}` : `did you mean ${meant}?`;
    return { why: `unknown key ${JSON.stringify(key)}`, fix, path: [key] };
  }
  for (const [name, setting] of Object.entries(settings)) {
    for (const one of Object.keys(setting).filter((each) => !SETTING_KEYS.includes(each))) {
      const meant = nearest(one, SETTING_KEYS);
      if (meant === null) continue;
      const path = ["config_schema", name, one];
      const why = `unknown key ${JSON.stringify(path.join("."))}`;
      return { why, fix: `did you mean ${meant}?`, path };
    }
  }
  return null;
}

function dataOf(file: ManifestPlace, text: string): { data: unknown; contents: unknown } {
  const document = readYaml(text);
  const broken = document.errors[0];
  if (broken !== undefined) {
    throw invalid(file, `${broken.message}; ${broken.fix}`, lineAt(text, broken.pos[0]));
  }
  try {
    const values = document.toJS({ maxAliasCount: 100 });
    const data = schemaTexts(ManifestFile, values, textsOf(document, values));
    return { data, contents: document.contents };
  } catch (error) {
    throw invalid(file, firstLine(error));
  }
}

function firstLine(error: unknown): string {
  return String(error instanceof Error ? error.message : error).split("\n")[0] ?? "";
}

function textOf(file: string): string {
  try {
    return readFileSync(file, "utf8");
  } catch {
    return "";
  }
}

/** The cause has the position, as the first cause of every error tells it. */
function invalid({ path, root }: ManifestPlace, why: string, line = 1, fix = "correct the file") {
  const inRoot = relative(root, path);
  const shown = inRoot.startsWith("..") ? join(basename(dirname(path)), MANIFEST) : inRoot;
  const cause = new Error(`${why}\n${path}:${line}:1`);
  return renderFailure("ERR_THEME_MANIFEST", `${shown}:${line}: ${why}`, { fix, cause });
}
