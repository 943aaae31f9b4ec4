/** npm as a child process: it uses the site's own `.npmrc`, registry and credentials. */
import { execFile, type ExecFileException } from "node:child_process";
import { z } from "zod";
import type { Published } from "./choose-version.js";
import type { DependencyAge } from "./contract.js";
import { daysFor } from "./choose-version.js";
import { packagesError } from "./errors.js";

const LIMIT_MS = 10 * 60_000;
const MAX_OUTPUT = 64 * 1_048_576;
const QUIET = ["--no-audit", "--no-fund", "--no-update-notifier", "--loglevel=error"];
const DAY_MS = 86_400_000;

/** A package and the exact version to install. */
export interface Exact {
  name: string;
  version: string;
}

const view = z.object({
  versions: z.union([z.string().transform((one) => [one]), z.array(z.string())]),
  time: z.record(z.string(), z.string()).default({}),
  "dist-tags": z.record(z.string(), z.string()).default({}),
});
const failure = z.object({ error: z.object({ code: z.string(), summary: z.string() }).partial() });

/** npm in a site root. Scripts of packages never run. */
export class Npm {
  readonly #root: string;
  readonly #command: readonly string[];
  #knowsAge: Promise<boolean> | null = null;

  /** `command`: the program and its first arguments. */
  constructor(root: string, command: readonly string[] = ["npm"]) {
    this.#root = root;
    this.#command = command;
  }

  /** @throws ERR_PACKAGE_NPM. */
  async published(name: string): Promise<Published> {
    const fields = ["versions", "time", "dist-tags", "--json"];
    const text = await this.#run(["view", "--prefer-online", name, ...fields, ...QUIET]);
    const parsed = view.safeParse(JSON.parse(text));
    if (!parsed.success) {
      throw packagesError("ERR_PACKAGE_NPM", `npm has no data on ${name}`, "correct the name");
    }
    const { versions, time, "dist-tags": tags } = parsed.data;
    return { name, versions, time, latest: tags["latest"] ?? null };
  }

  /**
   * Installs exact versions; their dependencies respect the minimum age. npm before 11 has no such rule:
   * there, dependencies of an excluded package may be younger.
   * @throws ERR_PACKAGE_NPM.
   */
  async install(packages: readonly Exact[], age: DependencyAge): Promise<void> {
    if (age.days === 0 || (await this.#hasAgeRule())) {
      await this.#install(packages, age.days === 0 ? [] : ageRule(age, packages));
      return;
    }
    const before = `--before=${new Date(Date.now() - age.days * DAY_MS).toISOString()}`;
    const isFree = ({ name }: Exact): boolean => daysFor(name, age) === 0;
    await this.#install(
      packages.filter((one) => !isFree(one)),
      [before],
    );
    await this.#install(packages.filter(isFree), []);
  }

  async #install(packages: readonly Exact[], more: readonly string[]): Promise<void> {
    if (packages.length === 0) return;
    const names = packages.map(({ name, version }) => `${name}@${version}`);
    await this.#run(["install", "--save", "--save-exact", ...this.#safely(), ...more, ...names]);
  }

  /**
   * Installs tarballs of the site and commits of git (`file:…`, `git+…#commit`); their dependencies from
   * the registry respect the minimum age.
   * @throws ERR_PACKAGE_NPM.
   */
  async installArchives(sources: readonly string[], age: DependencyAge): Promise<void> {
    if (sources.length === 0) return;
    const before = new Date(Date.now() - age.days * DAY_MS).toISOString();
    const rule = (await this.#hasAgeRule()) ? ageRule(age, []) : [`--before=${before}`];
    const limits = age.days === 0 ? [] : rule;
    await this.#run(["install", "--save", ...this.#safely(), ...limits, ...sources]);
  }

  /** @throws ERR_PACKAGE_NPM. */
  async uninstall(names: readonly string[]): Promise<void> {
    if (names.length > 0) await this.#run(["uninstall", ...this.#safely(), ...names]);
  }

  #safely(): string[] {
    return ["--ignore-scripts", ...QUIET];
  }

  /** True when this npm supports a minimum age with exceptions. */
  #hasAgeRule(): Promise<boolean> {
    this.#knowsAge ??= this.#run([
      "config",
      "get",
      "min-release-age-exclude",
      "--loglevel=silent",
    ]).then((text) => text.trim() !== "undefined");
    return this.#knowsAge;
  }

  /**
   * Runs npm in the root. Every command gets the prefix: otherwise npm looks for a `package.json` further
   * up and uses the `.npmrc` beside that, perhaps with another registry.
   */
  #run([command = "", ...args]: readonly string[]): Promise<string> {
    const [program = "npm", ...first] = this.#command;
    const all = [...first, command, "--prefix", this.#root, ...args];
    const options = { cwd: this.#root, timeout: LIMIT_MS, maxBuffer: MAX_OUTPUT };
    return new Promise((resolve, reject) => {
      execFile(program, all, options, (error, stdout, stderr) => {
        if (error === null) resolve(stdout);
        else reject(npmFailure(command, error, stdout, stderr));
      });
    });
  }
}

/** The version of a named package is already chosen: the rule is for its dependencies. */
function ageRule(age: DependencyAge, packages: readonly Exact[]): string[] {
  const free = packages.map(({ name }) => name).filter((name) => daysFor(name, age) === 0);
  const excluded = [...new Set([...age.exclude, ...free])];
  const exclude = excluded.map((name) => `--min-release-age-exclude=${name}`);
  return [`--min-release-age=${age.days}`, ...exclude];
}

function npmFailure(command: string, error: ExecFileException, stdout: string, stderr: string) {
  if (error.code === "ENOENT") {
    return packagesError("ERR_PACKAGE_NPM", "npm is not installed", "install Node.js with npm");
  }
  const output = parseMessage(stdout) ?? stderr.replaceAll(/^npm (error|ERR!) ?/gm, "").trim();
  const [first = "no output"] = output.split("\n").filter((line) => line.trim() !== "");
  return packagesError(
    "ERR_PACKAGE_NPM",
    `npm ${command} failed: ${first}`,
    "fix the reported problem and run the command again",
  );
}

function parseMessage(stdout: string): string | null {
  try {
    const { error } = failure.parse(JSON.parse(stdout));
    return error.summary === undefined ? null : `${error.code ?? ""} ${error.summary}`.trim();
  } catch {
    return null;
  }
}
