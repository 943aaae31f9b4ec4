import type { Dirent } from "node:fs";
import { readFile, readdir, readlink } from "node:fs/promises";
import { join, posix } from "node:path";
import { createHash } from "node:crypto";
import { z } from "zod";
import type { Specifier } from "./specifier.js";

/** A package of `node_modules`, from npm's hidden lockfile. */
const record = z.looseObject({
  name: z.string().optional(),
  version: z.string().optional(),
  /** Its source: `https://…`, `file:vendor/name.tgz`, `git+ssh://…#commit`. */
  resolved: z.string().optional(),
  integrity: z.string().optional(),
  link: z.boolean().optional(),
  inBundle: z.boolean().optional(),
  dependencies: z.record(z.string(), z.string()).optional(),
});
/** `files`: digest of the installed files, for packages without an integrity from a registry. */
type InstalledPackage = z.infer<typeof record> & { readonly files?: string };
const recordFile = z.looseObject({ packages: z.record(z.string(), record) });

/** Paths (`node_modules/a/node_modules/b`) to packages. */
export type InstalledRecord = Readonly<Record<string, InstalledPackage>>;

/** A package with its dependencies, as a lock pins it. */
export interface PinnedPackage {
  /** Subresource integrity of its tarball; absent for a package bundled in another's tarball. */
  readonly integrity?: string;
  /** Digest of its installed files, for a package from a tarball or from git. */
  readonly files?: string;
  /** `name@version` of each dependency, sorted; optional ones are left out: they differ by machine. */
  readonly dependencies?: readonly string[];
}

/**
 * npm's record of `root/node_modules`, with a digest of the files of packages from a tarball or from
 * git; null when npm did not install it.
 */
export async function readInstalled(root: string): Promise<InstalledRecord | null> {
  try {
    const text = await readFile(join(root, "node_modules", ".package-lock.json"), "utf8");
    return await withDigests(root, recordFile.parse(JSON.parse(text)).packages);
  } catch {
    // Missing, truncated or of another tool: the installed packages are unknown.
    return null;
  }
}

async function withDigests(root: string, installed: InstalledRecord): Promise<InstalledRecord> {
  const digested: Record<string, InstalledPackage> = { ...installed };
  for (const [place, found] of Object.entries(installed)) {
    if (found.link === true || !/^(?:file:|git)/.test(found.resolved ?? "")) continue;
    const isOther = (path: string): boolean => {
      const other = installed[`${place}/${path}`];
      return (
        /(?:^|\/)node_modules\/\.[^/]+$/.test(path) || (other !== undefined && !other.inBundle)
      );
    };
    digested[place] = { ...found, files: await folderDigest(join(root, place), isOther) };
  }
  return digested;
}

/** The name of the package at the top of `node_modules` for a specifier; null when absent. */
export function installedName(installed: InstalledRecord, specifier: Specifier): string | null {
  if (specifier.kind === "npm") return specifier.name;
  const isMeant = ({ resolved = "" }: InstalledPackage): boolean => {
    if (specifier.kind === "git") {
      // npm rewrites the URLs of hosts that it knows; the commit identifies the source.
      return resolved.startsWith("git") && resolved.endsWith(`#${specifier.commit}`);
    }
    if (specifier.kind !== "tarball" || !resolved.startsWith("file:")) return false;
    return posix.normalize(resolved.slice(5)) === specifier.path;
  };
  const found = Object.entries(installed).find(
    ([place, one]) => /^node_modules\/(?:@[^/]+\/)?[^/]+$/.test(place) && isMeant(one),
  );
  return found?.[0].slice("node_modules/".length) ?? null;
}

/** The version of a package at the top of `node_modules`; null when npm has not installed it. */
export function installedVersion(installed: InstalledRecord, name: string): string | null {
  return installed[`node_modules/${name}`]?.version ?? null;
}

/** A package and its transitive dependencies: `name@version` to its pin. Empty when it is absent. */
export function installedTree(
  installed: InstalledRecord,
  name: string,
): Readonly<Record<string, PinnedPackage>> {
  const tree: Record<string, PinnedPackage> = {};
  const visit = (place: string): string => {
    const key = keyOf(installed, place);
    if (Object.hasOwn(tree, key)) return key;
    const { integrity, files, dependencies = {} } = installed[place] ?? {};
    tree[key] = {};
    const needed = Object.keys(dependencies).flatMap((wanted) => {
      const found = placeOf(installed, place, wanted);
      return found === null ? [] : [visit(found)];
    });
    tree[key] = {
      ...(integrity !== undefined && { integrity }),
      ...(files !== undefined && { files }),
      ...(needed.length > 0 && { dependencies: needed.toSorted() }),
    };
    return key;
  };
  if (installed[`node_modules/${name}`] !== undefined) visit(`node_modules/${name}`);
  return Object.fromEntries(Object.entries(tree).toSorted(([a], [b]) => (a < b ? -1 : 1)));
}

function keyOf(installed: InstalledRecord, place: string): string {
  const { name = place.split("node_modules/").at(-1) ?? place, version = "" } =
    installed[place] ?? {};
  return `${name}@${version}`;
}

/** Resolves `name` as Node does for a package at `place`. */
function placeOf(installed: InstalledRecord, place: string, name: string): string | null {
  for (let at = place; ; at = at.slice(0, at.lastIndexOf("/node_modules/"))) {
    const candidate = `${at}/node_modules/${name}`;
    if (installed[candidate] !== undefined) return candidate;
    if (!at.includes("/node_modules/")) break;
  }
  return installed[`node_modules/${name}`] === undefined ? null : `node_modules/${name}`;
}

/**
 * A digest (`sha512-…`) of the names and bytes of all files below a folder, without the relative paths
 * for which `isLeftOut` is true. Ignores modes and times, which differ by machine.
 */
export async function folderDigest(
  folder: string,
  isLeftOut: (path: string) => boolean,
): Promise<string> {
  const hash = createHash("sha512");
  const visit = async (path: string): Promise<void> => {
    const entries = await readdir(join(folder, path), { withFileTypes: true });
    for (const entry of entries.toSorted((a, b) => (a.name < b.name ? -1 : 1))) {
      const below = path === "" ? entry.name : `${path}/${entry.name}`;
      if (isLeftOut(below)) continue;
      if (entry.isDirectory()) await visit(below);
      else hash.update(`${JSON.stringify(below)} ${await digestOf(join(folder, below), entry)}\n`);
    }
  };
  await visit("");
  return `sha512-${hash.digest("base64")}`;
}

async function digestOf(file: string, entry: Pick<Dirent, "isSymbolicLink">): Promise<string> {
  const isLink = entry.isSymbolicLink();
  const bytes = isLink ? await readlink(file) : await readFile(file);
  return `${isLink ? "link" : "file"} ${createHash("sha512").update(bytes).digest("base64")}`;
}
