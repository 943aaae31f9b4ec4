import { readFileSync } from "node:fs";
import { join, relative, resolve, sep } from "node:path";
import { packageRoot, readPackage } from "#kernel/internal";
import { z } from "zod";

const MODULES = `${sep}node_modules${sep}`;
const record = z.object({
  packages: z.record(z.string(), z.looseObject({ resolved: z.string().optional() })),
});

/**
 * The running package as a dependency of a site in `folder`, in a form that npm can install: its
 * version, or its clone or tarball.
 */
export function ownDependency(folder: string): Record<string, string> {
  const { name, version } = readPackage();
  const source = localSource(packageRoot(), name);
  if (source === null) return { [name]: `^${version}` };
  return { [name]: `file:${relative(folder, source).split(sep).join("/")}` };
}

/** Path of the clone or tarball of `root`; null for a package from a registry. */
function localSource(root: string, name: string): string | null {
  const at = root.lastIndexOf(MODULES);
  if (at === -1) return root;
  const project = root.slice(0, at);
  const source = installedFrom(project, name);
  return source?.startsWith("file:") === true
    ? resolve(project, source.slice("file:".length))
    : null;
}

function installedFrom(project: string, name: string): string | undefined {
  try {
    const text = readFileSync(join(project, "node_modules", ".package-lock.json"), "utf8");
    return record.parse(JSON.parse(text)).packages[`node_modules/${name}`]?.resolved;
  } catch {
    // Another package manager, or no record: install from the registry.
    return undefined;
  }
}
