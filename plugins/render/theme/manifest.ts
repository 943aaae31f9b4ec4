import { readFileSync } from "node:fs";
import { basename, join } from "node:path";
import { z } from "zod";
import type { SiteError } from "#kernel";
import { schemaTexts } from "#kernel/internal";
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
 * Reads `theme.yaml`; without it, the theme only has the name of its folder.
 * @throws ERR_THEME_MANIFEST with file, line and reason.
 */
export function readManifest(folder: string): Manifest {
  const text = textOf(join(folder, MANIFEST));
  const { data, contents } = dataOf(folder, text);
  const parsed = ManifestFile.safeParse(data ?? {}, { jitless: true });
  if (!parsed.success) {
    const { path, message } = parsed.error.issues[0] ?? { path: [], message: "invalid" };
    throw invalid(folder, `${path.join(".")}: ${message}`, lineOf(text, contents, path));
  }
  const { version, description, parent, config_schema: fields, ...more } = parsed.data;
  const defaults = Object.fromEntries(
    Object.entries(fields).map(([key, setting]) => [key, setting.default]),
  );
  const { collections, colors } = more;
  return { version, description, parent, defaults, fields, colors, collections };
}

function dataOf(folder: string, text: string): { data: unknown; contents: unknown } {
  const document = readYaml(text);
  const broken = document.errors[0];
  if (broken !== undefined) {
    throw invalid(folder, `${broken.message}; ${broken.fix}`, lineAt(text, broken.pos[0]));
  }
  try {
    const values = document.toJS({ maxAliasCount: 100 });
    const data = schemaTexts(ManifestFile, values, textsOf(document, values));
    return { data, contents: document.contents };
  } catch (error) {
    throw invalid(folder, firstLine(error));
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
function invalid(folder: string, why: string, line = 1): SiteError {
  const message = `${basename(folder)}/${MANIFEST}: ${why}`;
  const cause = new Error(`${why}\n${join(folder, MANIFEST)}:${line}:1`);
  return renderFailure("ERR_THEME_MANIFEST", message, { fix: "correct the file", cause });
}
