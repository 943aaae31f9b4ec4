/** Versions of the package, and an installation of one: for the tests of upgrades. */
import { execFile } from "node:child_process";
import { cp, mkdir, readFile, symlink, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { promisify } from "node:util";
import { packageRoot } from "#lib/packages";
import { buildContract, buildWhenStale } from "../../../scripts/build.mjs";
import type { VersionContract } from "../../../plugins/upgrade/plan/version-contract.js";

const run = promisify(execFile);

/** The output of a command, and its exit code. */
export interface CommandRun {
  code: number;
  stdout: string;
  stderr: string;
}

/** One build as a package without dependencies in its manifest, which the registry would have to have. */
export class PackageVersions {
  readonly #folder: string;
  #contract: VersionContract | null = null;

  /** `folder`: an empty one. */
  constructor(folder: string) {
    this.#folder = folder;
  }

  /** Copies the build to a folder that npm could pack. */
  async build(): Promise<void> {
    const root = packageRoot();
    await buildWhenStale();
    const staged = join(this.#folder, "package");
    await mkdir(join(staged, "kernel", "cli"), { recursive: true });
    await run("cp", ["-a", join(root, "dist"), join(staged, "dist")]);
    for (const name of ["bin", "start", "restore-version"]) {
      const file = `kernel/cli/${name}.mjs`;
      await cp(join(root, file), join(staged, file));
    }
    buildContract(join(staged, "dist"));
    const text = await readFile(join(staged, "dist", "contract.json"), "utf8");
    // Written by this build a moment ago.
    this.#contract = JSON.parse(text);
  }

  /** The contract of the build; throws before `build`. */
  get contract(): VersionContract {
    if (this.#contract === null) throw new Error("build first");
    return structuredClone(this.#contract);
  }

  /** A tarball of the build with another version and contract; resolves with its path. */
  async pack(
    version: string,
    edit: (contract: VersionContract) => void = () => undefined,
  ): Promise<string> {
    const contract = { ...this.contract, version };
    edit(contract);
    const staged = join(this.#folder, "package");
    const manifest: Record<string, unknown> = JSON.parse(
      await readFile(join(packageRoot(), "package.json"), "utf8"),
    );
    for (const key of ["dependencies", "devDependencies", "scripts", "mocha", "c8"]) {
      delete manifest[key];
    }
    await writeFile(join(staged, "package.json"), JSON.stringify({ ...manifest, version }));
    await writeFile(join(staged, "dist", "contract.json"), JSON.stringify(contract));
    const tarball = join(this.#folder, `sitewright-${version}.tgz`);
    await run("tar", ["-I", "gzip -1", "-cf", tarball, "-C", this.#folder, "package"]);
    return tarball;
  }
}

/** A folder with a version in its `node_modules`, and the site root `site` below it. */
export class InstalledSite {
  readonly home: string;

  constructor(home: string) {
    this.home = home;
  }

  get root(): string {
    return join(this.home, "site");
  }

  /** Unpacks a tarball as npm would; dependencies are links into the repository's own. */
  async install(tarball: string): Promise<void> {
    const modules = join(this.home, "node_modules");
    await mkdir(join(modules, "sitewright"), { recursive: true });
    await mkdir(join(modules, ".bin"));
    await run("tar", ["-xzf", tarball, "-C", join(modules, "sitewright"), "--strip-components=1"]);
    await symlink("../sitewright/kernel/cli/bin.mjs", join(modules, ".bin", "site"));
    await linkDependencies(modules);
    const dependencies = { sitewright: `file:${tarball}` };
    await this.write(
      "package.json",
      `${JSON.stringify({ name: "home", dependencies }, null, 4)}\n`,
    );
  }

  /** Writes a file below the home. */
  async write(path: string, text: string): Promise<void> {
    await mkdir(dirname(join(this.home, path)), { recursive: true });
    await writeFile(join(this.home, path), text);
  }

  read(path: string): Promise<string> {
    return readFile(join(this.home, path), "utf8");
  }

  /** Runs `site` on the root. */
  async site(...args: readonly string[]): Promise<CommandRun> {
    const bin = join(this.home, "node_modules", "sitewright", "kernel", "cli", "bin.mjs");
    const all = [bin, ...args, "--root", this.root];
    return new Promise((resolve) => {
      const options = { cwd: this.home, env: { ...process.env, NODE_OPTIONS: "" } };
      execFile(process.execPath, all, options, (error, stdout, stderr) => {
        resolve({ code: error === null ? 0 : Number(error.code), stdout, stderr });
      });
    });
  }
}

async function linkDependencies(modules: string): Promise<void> {
  const root = packageRoot();
  const { dependencies }: { dependencies: Record<string, string> } = JSON.parse(
    await readFile(join(root, "package.json"), "utf8"),
  );
  for (const name of Object.keys(dependencies)) {
    await mkdir(dirname(join(modules, name)), { recursive: true });
    await symlink(join(root, "node_modules", name), join(modules, name));
  }
}
