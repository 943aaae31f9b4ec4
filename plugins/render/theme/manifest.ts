import { readFileSync } from "node:fs";
import { basename, join } from "node:path";
import { z } from "zod";
import type { SiteError } from "#kernel";
import { readYaml } from "#kernel/internal";
import type { CollectionQuery } from "../../content/contract.js";
import { CollectionQuerySchema } from "../page/views/collection-query.js";
import { renderFailure } from "../errors.js";

const Setting = z.looseObject({ default: z.unknown().optional() });
const ManifestFile = z.looseObject({
  name: z.string().optional(),
  version: z.coerce.string().default("0.0.0"),
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
  const file = `${basename(folder)}/theme.yaml`;
  const given = dataOf(file, textOf(join(folder, "theme.yaml"))) ?? {};
  const parsed = ManifestFile.safeParse(given, { jitless: true });
  if (!parsed.success) {
    const issue = parsed.error.issues[0];
    throw invalid(file, `${issue?.path.join(".") ?? ""}: ${issue?.message ?? "invalid"}`);
  }
  const { version, description, parent, config_schema: fields, ...more } = parsed.data;
  const defaults = Object.fromEntries(
    Object.entries(fields).map(([key, setting]) => [key, setting.default]),
  );
  const { collections, colors } = more;
  return { version, description, parent, defaults, fields, colors, collections };
}

function dataOf(file: string, text: string): unknown {
  const document = readYaml(text);
  const broken = document.errors[0];
  if (broken !== undefined) throw invalid(file, firstLine(broken.message));
  try {
    return document.toJS({ maxAliasCount: 100 });
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

function invalid(file: string, why: string): SiteError {
  return renderFailure("ERR_THEME_MANIFEST", `${file}: ${why}`, { fix: "correct the file" });
}
