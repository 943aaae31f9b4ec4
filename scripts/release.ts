// `npm run release`: plans the next release and prints it. With `--execute` it writes the version, the changelog and the
// contract, runs the acceptance suite on the package, commits, tags, and writes the tarball and its SBOM. It never
// publishes: the workflow of the tag does. `--version 1.2.0` sets the version.
import { execFileSync } from "node:child_process";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { messageOf } from "#lib/errors";
import { readPackage } from "#lib/packages";
import { contractShape } from "../plugins/upgrade/plan/version-contract.js";
import { planRelease, type ReleasePlan } from "./release/plan.js";

const root = fileURLToPath(new URL("..", import.meta.url));
const released = `${root}/scripts/release/contract.json`;

const run = (command: string, ...words: readonly string[]): string =>
  execFileSync(command, words, {
    cwd: root,
    encoding: "utf8",
    stdio: ["ignore", "pipe", "inherit"],
  });
const shown = (command: string, ...words: readonly string[]): void =>
  void execFileSync(command, words, { cwd: root, stdio: "inherit" });
const read = (file: string): string => readFileSync(`${root}/${file}`, "utf8");

const { values } = parseArgs({
  options: { execute: { type: "boolean", default: false }, version: { type: "string" } },
});

/** Messages of the commits since the tag of the last release; null: nothing was released yet. */
function commitsSinceRelease(): string[] | null {
  const tags = run("git", "tag", "--merged", "HEAD", "--list", "v*", "--sort=-creatordate");
  const [last = ""] = tags.split("\n");
  if (last === "") return null;
  return run("git", "log", "--format=%B%x00", `${last}..HEAD`)
    .split("\0")
    .map((message) => message.trim())
    .filter((message) => message !== "");
}

function print(
  { version, size, changes, problems }: ReleasePlan,
  commits: readonly string[] | null,
): void {
  const since =
    commits === null
      ? "the first release"
      : `${commits.length} commits since the last release, the largest change is a ${size}`;
  console.log(`${version}: ${since}`);
  for (const { level, text } of changes) console.log(`${level === "break" ? "!" : "+"} ${text}`);
  for (const problem of problems) console.error(`✗ ${problem}`);
}

/** The files that a release writes and commits. */
const WRITTEN = [
  "package.json",
  "package-lock.json",
  "create-sitewright/package.json",
  "CHANGELOG.md",
  "scripts/release/contract.json",
];

/** Writes the release and tries it; then commits and tags. When a step fails, the files are as they were. */
function execute(made: ReleasePlan): void {
  const { version } = made;
  try {
    writeRelease(made);
  } catch (error) {
    shown("git", "restore", ...WRITTEN);
    console.error(`✗ ${messageOf(error)}: ${version} is not released, and the files are as before`);
    process.exitCode = 1;
    return;
  }
  shown("git", "add", ...WRITTEN);
  shown("git", "commit", "--message", `chore(release): ${version}`);
  shown("git", "tag", "--annotate", `v${version}`, "--message", version);
  console.log(`v${version} is tagged: git push --follow-tags publishes it`);
}

/** @throws the error of the step that fails. */
function writeRelease({ version, changelog }: ReleasePlan): void {
  const words = ["version", version, "--no-git-tag-version", "--allow-same-version"];
  shown("npm", ...words);
  shown("npm", "--prefix", "create-sitewright", ...words);
  writeFileSync(`${root}/CHANGELOG.md`, changelog);
  // The contract names its version.
  shown("npm", "run", "--silent", "build");
  writeFileSync(released, read("dist/contract.json"));
  shown("npx", "prettier", "--write", released);
  shown("npm", "run", "--silent", "acceptance");
  shown("node", "scripts/pack.mjs");
  const sbom = run("npm", "sbom", "--sbom-format", "cyclonedx", "--omit", "dev");
  writeFileSync(`${root}/sitewright-${version}.cdx.json`, sbom);
}

shown("npm", "run", "--silent", "build");
const commits = commitsSinceRelease();
const plan = planRelease({
  version: readPackage().version,
  commits,
  released: existsSync(released)
    ? contractShape.parse(JSON.parse(readFileSync(released, "utf8")))
    : null,
  contract: contractShape.parse(JSON.parse(read("dist/contract.json"))),
  changelog: read("CHANGELOG.md"),
  wanted: values.version ?? null,
  day: new Date().toISOString().slice(0, "2026-11-30".length),
});
print(plan, commits);
const isClean = run("git", "status", "--porcelain") === "";
if (values.execute && !isClean)
  console.error("✗ there are changes that are not committed: commit them");
if (plan.problems.length > 0 || (values.execute && !isClean)) process.exitCode = 1;
else if (values.execute) execute(plan);
else console.log("nothing was written: npm run release -- --execute makes the release");
