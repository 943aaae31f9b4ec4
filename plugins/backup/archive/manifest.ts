/** The names of an archive's entries, and its two descriptions: of itself, as its first entry, and of all files, as its last. */
import { z } from "zod";
import { siteFolder } from "#kernel";

/** Increases when an older version could not restore the archive. */
export const FORMAT = 1;
/** The first entry. */
export const HEAD_ENTRY = "backup.json";
/** The last entry. */
export const MANIFEST_ENTRY = "manifest.json";
/** Prefixes of the other entries: files of the root, tables, and the SQLite file outside the root. */
export const FILES = "files/";
export const DATABASE = "database/";
export const OUTSIDE = "outside/";
/** The SQLite file of SITE_DB_PATH, when that lies outside the root. */
export const OUTSIDE_DATABASE = `${OUTSIDE}accounts.sqlite`;

/** The description of an archive. */
export const headShape = z.object({
  format: z.int().min(1),
  product: z.literal("sitewright"),
  /** Version of Sitewright. */
  version: z.string(),
  /** ISO time at which the files were collected. */
  createdAt: z.iso.datetime(),
  site: z.object({ title: z.string(), url: z.string() }),
  /** True when the `.env` files are in it. */
  secrets: z.boolean(),
  /** The runtime folder, relative to the root: only what the configuration accepts. */
  runtimeDir: siteFolder("private").default(".dune/admin"),
});
export type Head = z.infer<typeof headShape>;

/** An entry with its checksum. */
const fileShape = z.object({
  path: z.string(),
  size: z.int().min(0),
  /** Hex. */
  sha256: z.string().regex(/^[0-9a-f]{64}$/),
});
export type ArchivedFile = z.infer<typeof fileShape>;

/** All entries besides the manifest. */
export const manifestShape = z.object({
  format: z.int().min(1),
  files: z.array(fileShape),
  /** Versions of what describes data: flex types, and the applied migrations of databases. */
  schemas: z.object({
    flex: z.record(z.string(), z.number()),
    database: z.record(z.string(), z.array(z.string())),
  }),
  /** Files that were left out, with the reason. */
  leftOut: z.array(z.object({ path: z.string(), reason: z.string() })),
  /** False when files changed during each attempt to collect them. */
  consistent: z.boolean(),
});
export type Manifest = z.infer<typeof manifestShape>;

/** How much of a site an archive has. */
export interface ArchiveSize {
  /** Files of the site root, as a restore lists them: without the description and the databases. */
  readonly files: number;
  /** Bytes of all entries besides the two descriptions. */
  readonly bytes: number;
}

/** Counts the contents of an archive, for every report of it. */
export function archiveSize(entries: readonly ArchivedFile[]): ArchiveSize {
  const contents = entries.filter(({ path }) => path !== HEAD_ENTRY);
  return {
    files: contents.filter(({ path }) => path.startsWith(FILES)).length,
    bytes: contents.reduce((sum, { size }) => sum + size, 0),
  };
}

/** Bytes of a name, and of each of its parts. */
const MAX_NAME_BYTES = 2_000;
const MAX_PART_BYTES = 255;

/** Files that a restore itself works with. */
const OWN = /^\.dune\/(?:swap|cache)(?:[./]|$)/i;

/**
 * The reason why an entry may not have this name; null for the names that `site backup` writes. `site restore` accepts no
 * others.
 */
export function entryProblem(name: string): string | null {
  if ([HEAD_ENTRY, MANIFEST_ENTRY, OUTSIDE_DATABASE].includes(name)) return null;
  if (name.startsWith(DATABASE)) {
    const isTable = /^(?:tables\.json|site_[a-z0-9_]+\.ndjson)$/.test(name.slice(DATABASE.length));
    return isTable ? null : "it is not a table of a site";
  }
  if (!name.startsWith(FILES)) return "it is not a file of a site";
  return pathProblem(name.slice(FILES.length));
}

/** The reason why an archive cannot contain a file of a site, by its path below the root; null when it can. */
export function pathProblem(path: string): string | null {
  if (Buffer.byteLength(FILES + path) > MAX_NAME_BYTES) {
    return `its path is longer than ${MAX_NAME_BYTES - FILES.length} bytes`;
  }
  if (OWN.test(path)) return "a restore itself works with files of this name";
  for (const part of path.split("/")) {
    const problem = partProblem(part);
    if (problem !== null) return problem;
  }
  return null;
}

function partProblem(part: string): string | null {
  if (part === "" || part === "." || part === "..") return "its path is not relative to the root";
  if (part === ".git" || part === "node_modules") return `${part} belongs to another program`;
  if (Buffer.byteLength(part) > MAX_PART_BYTES)
    return `a name is longer than ${MAX_PART_BYTES} bytes`;
  if (part.includes("\\")) return "its name has a backslash, which separates folders on Windows";
  // oxlint-disable-next-line no-control-regex -- these are the characters in question
  return /[\u0000-\u001f\u007f]/.test(part) ? "its name has a control character" : null;
}
