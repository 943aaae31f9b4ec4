import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { z } from "zod";
import { errorCode } from "#lib/errors";
import type { PageState, TreeState } from "../../content/contract.js";

/** Name of the manifest in the export's folder. Only the files it lists belong to the export. */
export const MANIFEST = ".site-export.json";
const FORMAT = 2;

/** A file of the export. */
export interface Output {
  /** Path and query of its request; for copied media, a path below the content folder. */
  url: string;
  kind: "page" | "media" | "made" | "search";
  hash: string;
  size: number;
  mtimeMs: number;
  /** Read tags; null: rendered in each run. */
  reads: readonly string[] | null;
  expiresAt: number | null;
  variants: readonly string[];
  inline: readonly string[];
}
/** A redirect, as the site sent it. */
export interface Redirect {
  from: string;
  to: string;
  status: number;
}
/** The record of the last export. */
export interface Manifest {
  /** Digest of all inputs besides the content: settings, theme, plugins, options. */
  basis: string;
  tree: TreeState;
  /** Tags besides those of the tree (`media:…`, `flex:…`) to the digest of their inputs. */
  facts: Readonly<Record<string, string>>;
  /** By path below the export's folder. */
  outputs: ReadonlyMap<string, Output>;
  redirects: readonly Redirect[];
  /** URL of a file that only links lead to, with some of the pages that link to it. */
  linked: Readonly<Record<string, readonly string[]>>;
  broken: Readonly<Record<string, readonly string[]>>;
}

/** A cheap check for ten thousand items that this module wrote itself. */
const list = z.custom<unknown[]>(Array.isArray);

const stored = z.object({
  format: z.literal(FORMAT),
  basis: z.string(),
  tags: list,
  tree: list,
  facts: z.record(z.string(), z.string()),
  outputs: list,
  redirects: list,
  linked: z.record(z.string(), z.array(z.string())).default({}),
  broken: z.record(z.string(), z.array(z.string())),
});

type Row = [
  file: string,
  url: string,
  kind: Output["kind"],
  hash: string,
  size: number,
  mtimeMs: number,
  reads: number[] | null,
  expiresAt: number | null,
  variants: readonly string[],
  inline: readonly string[],
];

/** The manifest of a folder; null when it is missing, `damaged` when it cannot be read. */
export async function readManifest(out: string): Promise<Manifest | null | "damaged"> {
  const text = await readFile(join(out, MANIFEST), "utf8").catch((error: unknown) => {
    if (errorCode(error) === "ENOENT") return null;
    throw error;
  });
  return text === null ? null : parseManifest(text);
}

function parseManifest(text: string): Manifest | "damaged" {
  try {
    const parsed = stored.safeParse(JSON.parse(text));
    if (!parsed.success) return "damaged";
    const { basis, tags, tree, facts, outputs, redirects, linked, broken } = parsed.data;
    return {
      basis,
      // Only `formatManifest` writes this file.
      tree: new Map(tree as [string, PageState][]),
      facts,
      linked,
      broken,
      redirects: redirects as Redirect[],
      outputs: new Map((outputs as Row[]).map((row) => [row[0], toOutput(row, tags as string[])])),
    };
  } catch (error) {
    // Invalid JSON or invalid rows.
    if (error instanceof SyntaxError || error instanceof TypeError) return "damaged";
    throw error;
  }
}

function toOutput(row: Row, tags: readonly string[]): Output {
  const [, url, kind, hash, size, mtimeMs, reads, expiresAt, variants, inline] = row;
  const names = reads === null ? null : reads.map((at) => tags[at] ?? "");
  return { url, kind, hash, size, mtimeMs, reads: names, expiresAt, variants, inline };
}

/** Serializes the manifest; tags, which many files share, are listed once. */
export function formatManifest(manifest: Manifest): string {
  const places = new Map<string, number>();
  const toNumber = (tag: string): number => {
    const number = places.get(tag);
    if (number !== undefined) return number;
    places.set(tag, places.size);
    return places.size - 1;
  };
  const outputs = [...manifest.outputs].map(([file, output]): Row => {
    const { url, kind, hash, size, mtimeMs, reads, expiresAt, variants, inline } = output;
    const tags = reads === null ? null : reads.map(toNumber);
    return [file, url, kind, hash, size, mtimeMs, tags, expiresAt, variants, inline];
  });
  const { basis, facts, redirects, linked, broken } = manifest;
  const tags = [...places.keys()];
  const tree = [...manifest.tree];
  const header = { basis, tree, facts, redirects, linked, broken };
  return JSON.stringify({ format: FORMAT, ...header, tags, outputs });
}
