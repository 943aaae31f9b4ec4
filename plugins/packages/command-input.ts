/** The shared input of the commands, and the sources that their arguments name. */
import { execFile, type ExecFileException } from "node:child_process";
import { type CommandInput, ConfigError, type RawConfig, readRawConfig, safeJoin } from "#kernel";
import { readData } from "#lib/schema";
import { realInside } from "#lib/files";
import { parseSpecifier } from "#lib/packages";
import { chooseVersion } from "./choose-version.js";
import type { DependencyAge } from "./contract.js";
import { packagesError } from "./errors.js";
import { Npm } from "./npm.js";
import { packagesSection } from "./settings.js";
import type { Source } from "./sources.js";
import type { Workshop } from "./synchronise.js";

const UNPINNED_GIT = /^(git\+[^\s#]+)(?:#([\w./-]+))?$/;
const UNPINNED = /^(?:npm:)?((?:@[a-z0-9][\w.-]*\/)?[a-z0-9][\w.-]*)$/;

/** Creates the input of a command; nothing of the site is loaded. */
export async function openWorkshop(input: CommandInput): Promise<Workshop> {
  const config = await readRawConfig(input.root);
  return {
    root: input.root,
    config,
    age: readAge(config),
    npm: new Npm(input.root),
    now: Date.now(),
    // On standard error: the output of a command may be JSON.
    onStep: (step) => input.out.error(input.out.colour.dim(step)),
  };
}

/** @throws ERR_CONFIG_INVALID for an invalid section. */
function readAge({ system }: RawConfig): DependencyAge {
  const read = readData(packagesSection, system["packages"] ?? undefined);
  if (read.mistakes === null) return read.data.minimum_dependency_age;
  const [{ path, received, expected, fix }] = read.mistakes;
  const key = ["packages", ...path].join(".");
  const position = { file: "system.yaml", line: 1, column: 1, key };
  throw new ConfigError([{ ...position, received, expected, fix }]);
}

/**
 * The specifier for a command's argument: a package without a version gets the newest one that is old
 * enough, with `^`; a branch or tag of git gets its commit.
 * @throws ERR_PACKAGE_SPEC, ERR_PACKAGE_VERSION, ERR_PACKAGE_NPM, ERR_PACKAGE_GIT.
 */
export async function parseSource(
  input: string,
  workshop: Workshop,
  kind: Source["kind"] = "plugin",
): Promise<string> {
  const unpinned = /^(npm:|@)/.test(input) ? UNPINNED.exec(input)?.[1] : undefined;
  if (unpinned !== undefined) return findNewest(unpinned, workshop);
  const text = await withCommit(input);
  const parsed = parseSpecifier(text, kind);
  if ("fault" in parsed) throw refused(input, parsed.fault.expected, parsed.fault.fix);
  const { specifier } = parsed;
  if (specifier.kind === "npm" || specifier.kind === "git") return text;
  if (specifier.kind === "tarball") {
    return resolveFile(`file:./${specifier.path}`, specifier.path, workshop.root);
  }
  if (specifier.kind === "path") return resolveFile(input, specifier.path, workshop.root);
  const select =
    kind === "plugin"
      ? "select it in site.yaml when it is a first-party plugin"
      : "./themes/name for a folder";
  const fix = `write npm:${input}, or ${select}`;
  throw refused(input, "`npm:name@version`, `file:./name.tgz`, `git+https://…` or `./path`", fix);
}

/** A git address with the commit of its branch or tag; anything else unchanged. */
async function withCommit(specifier: string): Promise<string> {
  const [, url = "", ref = ""] = UNPINNED_GIT.exec(specifier) ?? [];
  if (url === "" || "specifier" in parseSpecifier(specifier)) return specifier;
  // Reject an invalid address before running git.
  const isAddress = "specifier" in parseSpecifier(`${url}#${"0".repeat(40)}`);
  return isAddress ? `${url}#${await resolveCommit(url, ref)}` : specifier;
}

async function findNewest(name: string, { age, now, npm }: Workshop): Promise<string> {
  const version = chooseVersion(await npm.published(name), { range: "*", age, now });
  return `npm:${name}@^${version}`;
}

async function resolveFile(specifier: string, path: string, root: string): Promise<string> {
  const file = safeJoin(root, path);
  const real = file === null ? null : await realInside(root, file);
  if (real !== null) return specifier;
  throw refused(
    specifier,
    "a file or folder of the site",
    "correct the path; it is relative to the site root",
  );
}

function refused(specifier: string, expected: string, fix: string) {
  return packagesError(
    "ERR_PACKAGE_SPEC",
    `${JSON.stringify(specifier.slice(0, 120))}: expected ${expected}`,
    fix,
  );
}

const LIMIT_MS = 60_000;
/** Protocols without a helper program: an address must not run one (`ext::`). */
const ALLOWED = [
  "-c",
  "protocol.allow=never",
  "-c",
  "protocol.https.allow=always",
  "-c",
  "protocol.ssh.allow=always",
  "-c",
  "protocol.file.allow=always",
];

/**
 * The commit of a branch, a tag or, without `ref`, of HEAD. `url` starts with `git+`.
 * @throws ERR_PACKAGE_GIT.
 */
async function resolveCommit(url: string, ref: string): Promise<string> {
  const refName = ref === "" ? "HEAD" : ref;
  const text = await listRemote(url, refName);
  const commits = new Map(
    text.split("\n").map((line) => {
      const [commit = "", name = ""] = line.split("\t");
      return [name, commit];
    }),
  );
  // The precedence of git between tags and branches; `^{}` is the commit of an annotated tag.
  const names = [
    `refs/tags/${refName}^{}`,
    `refs/tags/${refName}`,
    `refs/heads/${refName}`,
    refName,
  ];
  const commit = names.map((name) => commits.get(name)).find((one) => one !== undefined);
  if (commit !== undefined) return commit;
  throw packagesError(
    "ERR_PACKAGE_GIT",
    `${url} has no branch or tag ${JSON.stringify(refName.slice(0, 120))}`,
    "use a branch, a tag or all 40 digits of a commit",
  );
}

function listRemote(url: string, ref: string): Promise<string> {
  const args = [...ALLOWED, "ls-remote", "--", url.slice("git+".length), ref, `${ref}^{}`];
  return new Promise((resolve, reject) => {
    execFile("git", args, { timeout: LIMIT_MS }, (error, stdout, stderr) => {
      if (error === null) resolve(stdout);
      else reject(gitFailure(url, error, stderr));
    });
  });
}

function gitFailure(url: string, error: ExecFileException, stderr: string) {
  if (error.code === "ENOENT") {
    return packagesError("ERR_PACKAGE_GIT", "git is not installed", "install git");
  }
  const lines = stderr.split("\n").filter((line) => line.trim() !== "");
  const line = lines.find((one) => one.startsWith("fatal:")) ?? lines.at(-1) ?? "no output";
  const message = `git ls-remote ${url} failed: ${line.replace("fatal: ", "")}`;
  return packagesError(
    "ERR_PACKAGE_GIT",
    message,
    "correct the address, or set up git credentials for it",
  );
}
