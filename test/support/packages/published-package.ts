/** The package as npm would publish it, installed in an empty folder. */
import { execFile } from "node:child_process";
import { cp, mkdir, readFile, symlink } from "node:fs/promises";
import { dirname, join } from "node:path";
import { promisify } from "node:util";
import { packageRoot } from "#lib/packages";
import { buildWhenStale } from "../../../scripts/build.mjs";
import { buildTypes } from "../../../scripts/types.mjs";

const run = promisify(execFile);

/**
 * Packs the package with `npm pack` and unpacks it to `<folder>/node_modules/sitewright`, with the command
 * in `node_modules/.bin`. Its dependencies are links into the repository's own. Resolves with the
 * names of the files in the package.
 */
export async function installPublished(folder: string): Promise<readonly string[]> {
  const root = packageRoot();
  await buildWhenStale();
  const staged = join(folder, "staged");
  for (const part of ["package.json", "README.md", "LICENSE", "CHANGELOG.md", "dist"]) {
    await cp(join(root, part), join(staged, part), { recursive: true });
  }
  await mkdir(join(staged, "kernel", "cli"), { recursive: true });
  for (const name of ["bin", "start", "restore-version"]) {
    const file = `kernel/cli/${name}.mjs`;
    await cp(join(root, file), join(staged, file));
  }
  buildTypes(root, { outdir: join(staged, "dist"), check: false });
  const pack = ["pack", "--json", "--ignore-scripts", "--offline", "--pack-destination", folder];
  const { stdout } = await run("npm", pack, { cwd: staged });
  const [packed] = JSON.parse(stdout) as { filename: string; files: { path: string }[] }[];
  if (packed === undefined) throw new Error(`npm pack says ${stdout}`);
  const modules = join(folder, "node_modules");
  await mkdir(join(modules, "sitewright"), { recursive: true });
  const archive = join(folder, packed.filename);
  await run("tar", ["-xzf", archive, "-C", join(modules, "sitewright"), "--strip-components=1"]);
  await mkdir(join(modules, ".bin"));
  await symlink("../sitewright/kernel/cli/bin.mjs", join(modules, ".bin", "site"));
  await linkDependencies(root, modules);
  return packed.files.map(({ path }) => path);
}

/** Links the packages that `npm install` would fetch, and the compiler to check a plugin. */
async function linkDependencies(root: string, modules: string): Promise<void> {
  const manifest = JSON.parse(await readFile(join(root, "package.json"), "utf8")) as {
    dependencies: Record<string, string>;
  };
  for (const name of [...Object.keys(manifest.dependencies), "typescript", "tsx"]) {
    await mkdir(dirname(join(modules, name)), { recursive: true });
    await symlink(join(root, "node_modules", name), join(modules, name));
  }
}
