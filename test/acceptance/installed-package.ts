/** The package as its users get it: packed by npm, and installed by npm in a folder outside of the repository. */
import { execFile } from "node:child_process";
import { copyFile, mkdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { pack } from "../../scripts/pack.mjs";

const run = promisify(execFile);
const MAX_OUTPUT = 16_000_000;

/** An entry of a `package-lock.json`. */
interface LockEntry {
  /** Of an alias. */
  name?: string;
  version?: string;
  resolved?: string;
  [key: string]: unknown;
}
interface Lock {
  packages: Record<string, LockEntry>;
  [key: string]: unknown;
}

/** What `npm pack` wrote. */
export interface Tarball {
  path: string;
  bytes: number;
}

/** Packs the package with its types into `folder`, as `npm run package` does; reuses a current build. */
export async function packPackage(repository: string, folder: string): Promise<Tarball> {
  const options = { cwd: repository, maxBuffer: MAX_OUTPUT };
  await run(process.execPath, ["scripts/build.mjs", "--types", "--reuse"], options);
  return pack(folder);
}

/**
 * Writes the lock file with which npm installs a tarball of Sitewright, whose address is `resolved` from the folder,
 * and the packages that it needs, from npm's cache.
 */
export async function writeLock(
  repository: string,
  folder: string,
  { root, resolved }: { root: LockEntry; resolved: string },
): Promise<void> {
  const lock: Lock = JSON.parse(await readFile(join(repository, "package-lock.json"), "utf8"));
  const own = lock.packages[""];
  if (own === undefined) throw new Error("package-lock.json has no entry for the repository");
  const { devDependencies: _dev, ...published } = own;
  const packages: Lock["packages"] = {
    ...withAddresses(lock.packages),
    "": root,
    "node_modules/sitewright": { ...published, resolved },
  };
  await mkdir(folder, { recursive: true });
  await writeFile(join(folder, "package-lock.json"), JSON.stringify({ ...lock, packages }));
}

/**
 * Installs the tarball in `home`, with packages that plugins of the tests import, in the versions of the
 * repository. `npm ci` leaves tarballs in npm's cache but no lists of versions, so a first `npm install` would
 * ask the registry; with a lock that has the same versions and addresses it needs nothing but the cache.
 */
export async function installPackage(
  repository: string,
  options: { home: string; tarball: string; imported: readonly string[] },
): Promise<void> {
  const { home, tarball, imported } = options;
  const lock: Lock = JSON.parse(await readFile(join(repository, "package-lock.json"), "utf8"));
  await mkdir(home, { recursive: true });
  await copyFile(tarball, join(home, "sitewright.tgz"));
  const dependencies: Record<string, string> = { sitewright: "file:sitewright.tgz" };
  for (const name of imported) {
    const { version } = lock.packages[`node_modules/${name}`] ?? {};
    if (version === undefined) throw new Error(`${name} is not in package-lock.json: install it`);
    dependencies[name] = version;
  }
  const root = { name: "home", version: "1.0.0", private: true, type: "module", dependencies };
  await writeFile(join(home, "package.json"), `${JSON.stringify(root, null, 2)}\n`);
  await writeLock(repository, home, { root, resolved: "file:sitewright.tgz" });
  const quiet = ["--ignore-scripts", "--no-audit", "--no-fund"];
  await run("npm", ["ci", "--prefer-offline", ...quiet], { cwd: home, maxBuffer: MAX_OUTPUT });
}

/** The repository's lock omits the addresses of tarballs; without them npm asks the registry for each package. */
function withAddresses(packages: Lock["packages"]): Lock["packages"] {
  return Object.fromEntries(
    Object.entries(packages).map(([path, entry]) => {
      const name = entry.name ?? path.replace(/^.*node_modules\//, "");
      const file = `${name.replace(/^@.*\//, "")}-${entry.version}.tgz`;
      return [path, { resolved: `https://registry.npmjs.org/${name}/-/${file}`, ...entry }];
    }),
  );
}
