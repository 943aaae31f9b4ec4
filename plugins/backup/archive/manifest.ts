/** The two descriptions in an archive: what it is, as its first entry, and all files, as its last one. */
import { runtimeFolder } from "#kernel/internal";
import { z } from "zod";

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

/** What an archive is. */
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
  runtimeDir: runtimeFolder,
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
  /** What was left out, and why. */
  leftOut: z.array(z.object({ path: z.string(), reason: z.string() })),
  /** False when files changed during each attempt to collect them. */
  consistent: z.boolean(),
});
export type Manifest = z.infer<typeof manifestShape>;
