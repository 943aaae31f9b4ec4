import { existsSync, lstatSync, mkdirSync, rmSync, renameSync } from "node:fs";
import { mkdir, readdir, realpath, readFile, rename, rm, rmdir, writeFile } from "node:fs/promises";
import { basename, dirname, join, sep } from "node:path";
import { z } from "zod";
import { type Paths, atomicWrite, safeJoin } from "#kernel";
import { ProcessLock, realInside } from "#lib/files";
import { staticError } from "../errors.js";
import { MANIFEST } from "./manifest.js";

/** Working folder inside the export's folder; removed at the end of an export. */
export const WORK = ".site-export";
/** The journal of a commit; in the working folder. */
const JOURNAL = "commit.json";
const OWNER = "export.lock";

/**
 * The real path of the export's folder; creates it when it is missing.
 * @throws ERR_STATIC_OUT for a folder that contains the site, or is inside a folder that the site
 * uses.
 */
export async function openOutFolder(out: string, paths: Paths): Promise<string> {
  const real = await resolveLinks(out);
  const root = await resolveLinks(paths.root);
  const reserved = [
    "themes",
    "plugins",
    "static",
    "flex-objects",
    "blueprints",
    "config",
    "env",
    "node_modules",
  ].map((name) => join(root, name));
  const parts = [paths.content, paths.data, paths.runtime, paths.cache];
  const guarded = [...reserved, ...(await Promise.all(parts.map(resolveLinks)))];
  if (isWithin(root, real)) throw refused(out, "it is the site's own folder, or holds it");
  const within = guarded.find((folder) => isWithin(real, folder) || isWithin(folder, real));
  if (within !== undefined) throw refused(out, `it lies in, or holds, ${basename(within)}/`);
  await mkdir(real, { recursive: true });
  return real;
}

/**
 * Rejects a folder that contains files but no manifest of an export.
 * @throws ERR_STATIC_FOREIGN with the names of the first files.
 */
export async function assertOurs(out: string): Promise<void> {
  const names = (await readdir(out)).filter((name) => name !== WORK);
  if (names.length === 0 || names.includes(MANIFEST)) return;
  const some = names.sort().slice(0, 3).join(", ");
  throw staticError("ERR_STATIC_FOREIGN", `${basename(out)}/ holds files of others: ${some}`, {
    fix: "empty it, or choose another folder with --out",
  });
}

/**
 * Locks the folder for this process, until `release`.
 * @throws ERR_STATIC_BUSY while another process holds the lock.
 */
export async function lockOutFolder(out: string): Promise<{ release(): void }> {
  const folder = join(out, WORK);
  const lock = await ProcessLock.acquire(join(folder, OWNER), {
    locked: (holder) => {
      const who = holder === null ? "another process" : `process ${holder.pid} on ${holder.host}`;
      return staticError("ERR_STATIC_BUSY", `${who} exports into ${basename(out)}/`, {
        fix: "wait until it is done, or choose another folder with --out",
      });
    },
  });
  const release = (): void => {
    lock.release();
    // The next export finishes an interrupted commit and needs its files.
    if (!existsSync(join(folder, JOURNAL))) rmSync(folder, { recursive: true, force: true });
  };
  return { release };
}

/**
 * Creates the folder of a file below `out`; rejects links on the way, which could lead anywhere.
 */
class OutFolders {
  readonly #out: string;
  readonly #known = new Set<string>();

  constructor(out: string) {
    this.#out = out;
  }

  /** @throws ERR_STATIC_WRITE */
  make(file: string): void {
    const parts = dirname(file).split("/");
    if (parts[0] === "." || this.#known.has(dirname(file))) return;
    let path = this.#out;
    for (const part of parts) {
      path = join(path, part);
      const stats = this.#known.has(path) ? null : lstatSync(path, { throwIfNoEntry: false });
      if (stats === undefined) mkdirSync(path);
      else if (stats !== null && !stats.isDirectory()) {
        throw staticError("ERR_STATIC_WRITE", `${part} is no folder of the export`, {
          fix: "take it out of the export's folder",
        });
      }
      this.#known.add(path);
    }
    this.#known.add(dirname(file));
  }
}

/** Resolves the links of a path that may not exist yet. */
async function resolveLinks(path: string): Promise<string> {
  try {
    return await realpath(path);
  } catch {
    const parent = dirname(path);
    return parent === path ? path : join(await resolveLinks(parent), basename(path));
  }
}

/** True when `inner` is `outer` or inside it. */
function isWithin(inner: string, outer: string): boolean {
  return inner === outer || inner.startsWith(outer.endsWith(sep) ? outer : outer + sep);
}

function refused(out: string, reason: string): Error {
  return staticError("ERR_STATIC_OUT", `cannot export to ${JSON.stringify(out)}: ${reason}`, {
    fix: "choose a folder of its own, such as --out dist",
    exitCode: 2,
  });
}

const NEXT = "manifest.json";
/** Folder of new files, inside the working folder. */
export const STAGE = "files";

/** The files to move and remove. Paths are below the export's folder. */
interface Commit {
  /** Name in the folder of new files to path. */
  moves: (readonly [staged: string, file: string])[];
  removes: string[];
  /** Text of the next manifest. */
  manifest: string;
}

const journal = z.object({
  moves: z.array(z.tuple([z.string(), z.string()])),
  removes: z.array(z.string()),
});

/**
 * Replaces the last export with a finished one. Writes a journal first: the next export finishes an
 * interrupted commit, and a commit that has not started leaves no trace.
 */
export async function commit(out: string, { moves, removes, manifest }: Commit): Promise<void> {
  await writeFile(join(out, WORK, NEXT), manifest);
  await atomicWrite(join(out, WORK, JOURNAL), JSON.stringify({ moves, removes }));
  await carryOut(out, { moves, removes });
}

/** Finishes an interrupted commit; true when there was one. */
export async function resume(out: string): Promise<boolean> {
  const text = await readFile(join(out, WORK, JOURNAL), "utf8").catch(() => null);
  const left = text === null ? null : journal.safeParse(JSON.parse(text));
  if (left === null || !left.success) return false;
  await carryOut(out, left.data);
  return true;
}

async function carryOut(out: string, work: Omit<Commit, "manifest">): Promise<void> {
  const folders = new OutFolders(out);
  // Remove files first that become folders.
  for (const file of work.removes) await removeFile(out, file);
  for (const [staged, file] of work.moves) {
    const target = safeJoin(out, file);
    const source = safeJoin(join(out, WORK, STAGE), staged);
    // Moved before the interruption.
    if (target === null || source === null || !isThere(source)) continue;
    folders.make(file);
    // A third of the cost of promises, and nothing else runs in this process.
    renameSync(source, target);
  }
  const next = join(out, WORK, NEXT);
  if (isThere(next)) await rename(next, join(out, MANIFEST));
  await rm(join(out, WORK, JOURNAL), { force: true });
}

async function removeFile(out: string, file: string): Promise<void> {
  const target = safeJoin(out, file);
  // A folder that was replaced by a link leads outside the export.
  if (target === null || (await realInside(out, dirname(target))) === null) return;
  await rm(target, { force: true });
  await removeEmpty(dirname(target), out);
}

async function removeEmpty(folder: string, out: string): Promise<void> {
  if (folder === out || !folder.startsWith(out)) return;
  const names = await readdir(folder).catch(() => ["?"]);
  if (names.length > 0) return;
  await rmdir(folder);
  await removeEmpty(dirname(folder), out);
}

function isThere(file: string): boolean {
  return lstatSync(file, { throwIfNoEntry: false }) !== undefined;
}
