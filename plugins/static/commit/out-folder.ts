import { existsSync, lstatSync, mkdirSync, rmSync } from "node:fs";
import { mkdir, readdir, realpath } from "node:fs/promises";
import { basename, dirname, join, sep } from "node:path";
import type { Paths } from "#kernel";
import { ProcessLock } from "#kernel/internal";
import { staticError } from "../errors.js";
import { MANIFEST } from "./manifest.js";

/** Working folder inside the export's folder; removed at the end of an export. */
export const WORK = ".site-export";
/** The journal of a commit; in the working folder. */
export const JOURNAL = "commit.json";
const OWNER = "export.lock";

/**
 * The real path of the export's folder; creates it when it is missing.
 * @throws ERR_STATIC_OUT for a folder that contains the site, or is inside a folder that the site
 * uses.
 */
export async function openOutFolder(out: string, paths: Paths): Promise<string> {
  const real = await realPathOf(out);
  const root = await realPathOf(paths.root);
  const own = [
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
  const guarded = [...own, ...(await Promise.all(parts.map(realPathOf)))];
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
export class OutFolders {
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
async function realPathOf(path: string): Promise<string> {
  try {
    return await realpath(path);
  } catch {
    const parent = dirname(path);
    return parent === path ? path : join(await realPathOf(parent), basename(path));
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
