import semver from "semver";
import type { VersionContract } from "../../plugins/upgrade/plan/version-contract.js";
import { contractChanges, type ContractChange } from "./contract-changes.js";

/** What a release is made from. */
export interface ReleaseInput {
  /** The version of `package.json`: the last release, or the first one to be made. */
  readonly version: string;
  /** Messages of the commits since the last release, newest first; null: there was none. */
  readonly commits: readonly string[] | null;
  /** The contract of the last release; null: there was none. */
  readonly released: VersionContract | null;
  readonly contract: VersionContract;
  readonly changelog: string;
  /** The version to make; null: by what changed. */
  readonly wanted: string | null;
  /** The day of the release, as `2026-11-30`. */
  readonly day: string;
}

/** A release, before anything is written. */
export interface ReleasePlan {
  readonly version: string;
  /** What decided the version: the largest change. */
  readonly size: Size;
  readonly changes: readonly ContractChange[];
  /** What prevents the release, as sentences with their fix. */
  readonly problems: readonly string[];
  /** The changelog with the section of the version. */
  readonly changelog: string;
}

/** The sizes of a change, smallest first. */
const SIZES = ["fix", "feature", "break"] as const;
export type Size = (typeof SIZES)[number];

/** Decides the version, and checks that the changelog names every breaking change. */
export function planRelease(input: ReleaseInput): ReleasePlan {
  const { released, contract, commits } = input;
  const changes = released === null ? [] : contractChanges(released, contract);
  const size = largest([
    ...changes.map(({ level }) => (level === "break" ? "break" : "feature") as Size),
    ...(commits ?? []).map(sizeOfCommit),
  ]);
  const version = input.wanted ?? nextVersion(input, size);
  const entry = newestEntry(input.changelog);
  const problems = [
    ...versionProblems(input, { version, size }),
    ...entryProblems(entry),
    ...undeclared(changes, entry?.text ?? "").map(
      ({ text }) =>
        `${text}: name it in the newest section of CHANGELOG.md, and say what users have to change`,
    ),
  ];
  const changelog =
    entry === null
      ? input.changelog
      : input.changelog.replace(entry.heading, `## ${version} (${input.day})`);
  return { version, size, changes, problems, changelog };
}

/** The breaks that a section of the changelog does not name. */
export function undeclared(changes: readonly ContractChange[], section: string): ContractChange[] {
  return changes.filter(({ level, name }) => level === "break" && !section.includes(`\`${name}\``));
}

/** By Conventional Commits: `feat`, and `!` or `BREAKING CHANGE`. */
function sizeOfCommit(message: string): Size {
  const [subject = ""] = message.split("\n");
  if (/^\w+(?:\([^)]*\))?!:/.test(subject) || /^BREAKING[ -]CHANGE:/m.test(message)) return "break";
  return /^feat(?:\(|:)/.test(subject) ? "feature" : "fix";
}

function largest(sizes: readonly Size[]): Size {
  return SIZES.findLast((size) => sizes.includes(size)) ?? "fix";
}

/** Until 1.0 a minor version may break, and a patch never adds. A candidate is followed by the next one. */
function nextVersion({ version, commits }: ReleaseInput, size: Size): string {
  if (commits === null) return version;
  const candidate = semver.prerelease(version);
  if (candidate !== null) return semver.inc(version, "prerelease") ?? version;
  const step =
    size === "fix" ? "patch" : size === "break" && semver.major(version) > 0 ? "major" : "minor";
  return semver.inc(version, step) ?? version;
}

function versionProblems(
  input: ReleaseInput,
  { version, size }: { version: string; size: Size },
): string[] {
  if (semver.valid(version) === null)
    return [`${version} is not a version: pass one such as 1.2.0`];
  if (input.commits === null) return [];
  if (!semver.gt(version, input.version))
    return [`${version} is not newer than ${input.version}: pass a higher version`];
  const least = nextVersion(input, size);
  return semver.lt(version, least) && semver.prerelease(version) === null
    ? [`${version} is too small for a release with a ${size}: pass ${least} or a higher version`]
    : [];
}

/** A section of the changelog. */
export interface ChangelogEntry {
  readonly heading: string;
  readonly text: string;
}

/** The first section below the title; null without one. */
export function newestEntry(changelog: string): ChangelogEntry | null {
  const start = changelog.search(/^## /m);
  if (start === -1) return null;
  const section = changelog.slice(start);
  const [heading = ""] = section.split("\n");
  const rest = section.slice(heading.length);
  const end = rest.search(/^## /m);
  return { heading, text: end === -1 ? rest : rest.slice(0, end) };
}

function entryProblems(entry: ChangelogEntry | null): string[] {
  if (entry === null || !entry.heading.endsWith("(unreleased)")) {
    return [
      "the newest section of CHANGELOG.md is released: begin one with `## Next (unreleased)`",
    ];
  }
  return /^- /m.test(entry.text)
    ? []
    : ["the newest section of CHANGELOG.md is empty: describe the changes for users"];
}
