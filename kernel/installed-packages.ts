import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { z } from "zod";

/** A package of `node_modules`, as npm's own record there tells of it. */
const record = z.looseObject({
  name: z.string().optional(),
  version: z.string().optional(),
  integrity: z.string().optional(),
  link: z.boolean().optional(),
  inBundle: z.boolean().optional(),
  dependencies: z.record(z.string(), z.string()).optional(),
});
const recordFile = z.looseObject({ packages: z.record(z.string(), record) });

/** Places (`node_modules/a/node_modules/b`) to packages. */
export type InstalledRecord = Readonly<Record<string, z.infer<typeof record>>>;

/** A package with what it needs, as a lock pins it. */
export interface PinnedPackage {
  /** Subresource integrity of its tarball; absent for one that another package's tarball holds. */
  readonly integrity?: string;
  /** `name@version` of each dependency, sorted; optional ones are left out: they differ by machine. */
  readonly dependencies?: readonly string[];
}

/** What npm has noted of `root/node_modules`; null when npm did not install it. */
export async function readInstalled(root: string): Promise<InstalledRecord | null> {
  try {
    const text = await readFile(join(root, "node_modules", ".package-lock.json"), "utf8");
    return recordFile.parse(JSON.parse(text)).packages;
  } catch {
    // Absent, torn or of another tool: what is installed is then not known.
    return null;
  }
}

/** The version of a package at the top of `node_modules`; null when npm has not installed it. */
export function installedVersion(installed: InstalledRecord, name: string): string | null {
  return installed[`node_modules/${name}`]?.version ?? null;
}

/** A package and everything that it needs: `name@version` to what pins it. Empty when it is absent. */
export function installedTree(
  installed: InstalledRecord,
  name: string,
): Readonly<Record<string, PinnedPackage>> {
  const tree: Record<string, PinnedPackage> = {};
  const visit = (place: string): string => {
    const key = keyOf(installed, place);
    if (Object.hasOwn(tree, key)) return key;
    const { integrity, dependencies = {} } = installed[place] ?? {};
    tree[key] = {};
    const needed = Object.keys(dependencies).flatMap((wanted) => {
      const found = placeOf(installed, place, wanted);
      return found === null ? [] : [visit(found)];
    });
    tree[key] = {
      ...(integrity !== undefined && { integrity }),
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

/** Where Node finds `name` for a package at `place`. */
function placeOf(installed: InstalledRecord, place: string, name: string): string | null {
  for (let at = place; ; at = at.slice(0, at.lastIndexOf("/node_modules/"))) {
    const candidate = `${at}/node_modules/${name}`;
    if (installed[candidate] !== undefined) return candidate;
    if (!at.includes("/node_modules/")) break;
  }
  return installed[`node_modules/${name}`] === undefined ? null : `node_modules/${name}`;
}
