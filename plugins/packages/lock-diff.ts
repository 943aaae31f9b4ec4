/** How two locks differ, and how a lock differs from what the configuration asks for. */
import satisfies from "semver/functions/satisfies.js";
import { installedVersion, lockProblem, type InstalledRecord, type SiteLock } from "#kernel";
import { daysFor } from "./choose-version.js";
import type { DependencyAge } from "./contract.js";
import { packageName, type Source } from "./sources.js";

/** One difference between a lock as it was and as it should be. */
export interface LockDiff {
  section: "specifiers" | "packages" | "minimumDependencyAge";
  key: string;
  /** `blocked`: what is installed is not what the lock pins. */
  kind: "added" | "upgraded" | "removed" | "blocked";
  from: string | null;
  to: string | null;
}

/** What has to be done to the first lock to make it the second. */
export function lockDifferences(before: SiteLock, next: SiteLock): LockDiff[] {
  const digests = ({ packages }: SiteLock): Record<string, string> =>
    Object.fromEntries(
      Object.entries(packages).map(([key, { integrity, files }]) => {
        return [key, [integrity, files].filter((digest) => digest !== undefined).join(" ")];
      }),
    );
  return [
    ...compare("specifiers", before.specifiers, next.specifiers),
    ...compare("packages", digests(before), digests(next)),
  ];
}

function compare(
  section: LockDiff["section"],
  before: Readonly<Record<string, string>>,
  next: Readonly<Record<string, string>>,
): LockDiff[] {
  const keys = [...new Set([...Object.keys(before), ...Object.keys(next)])].toSorted();
  return keys.flatMap((key) => {
    const [from = null, to = null] = [before[key], next[key]];
    if (from === to) return [];
    const kind = from === null ? "added" : to === null ? "removed" : "upgraded";
    return [{ section, key, kind, from, to } as const];
  });
}

/** A specifier whose package is not what the lock pins. */
export function blockedDiff(src: string, from: string | null, to: string | null = null): LockDiff {
  return { section: "specifiers", key: src, kind: "blocked", from, to };
}

/** What is checked against each other. */
export interface CheckInput {
  lock: SiteLock;
  installed: InstalledRecord | null;
  /** In use, from npm, a tarball or git. */
  wanted: readonly Source[];
  /** Named, in use or not. */
  known: readonly string[];
  age: DependencyAge;
}

/** What `lockfile:sync` would have to do, found without asking anybody. */
export function checkLock({ lock, installed, wanted, known, age }: CheckInput): LockDiff[] {
  const used = wanted.flatMap((source): LockDiff[] => {
    const { src, npm } = source;
    const name = packageName(source, installed);
    const pinned = lock.specifiers[src] ?? null;
    if (pinned === null) {
      const found = name === null || installed === null ? null : installedVersion(installed, name);
      const to = found === null ? null : `${name}@${found}`;
      return [{ section: "specifiers", key: src, kind: "added", from: null, to }];
    }
    const aged = npm === null ? null : ageChange(npm.name, lock.minimumDependencyAge, age);
    if (aged !== null) return [aged];
    const problem = lockProblem(lock, installed, src);
    if (problem === null) return [];
    return [blockedDiff(src, pinned, problem.message)];
  });
  const unused = Object.entries(lock.specifiers).filter(([src]) => !known.includes(src));
  return [
    ...used,
    ...unused.map(([key, from]): LockDiff => {
      return { section: "specifiers", key, kind: "removed", from, to: null };
    }),
  ];
}

function ageChange(key: string, before: DependencyAge, now: DependencyAge): LockDiff | null {
  const [from, to] = [daysFor(key, before), daysFor(key, now)];
  if (from === to) return null;
  const section = "minimumDependencyAge";
  return { section, key, kind: "upgraded", from: `${from} days`, to: `${to} days` };
}

/** What in a lock contradicts itself: a merge by hand gone wrong; null when nothing does. */
export function inconsistency({ specifiers, packages }: SiteLock): string | null {
  for (const [src, key] of Object.entries(specifiers)) {
    if (!canStandFor(src, key)) {
      return `${src} cannot stand for ${key}`;
    }
    if (!Object.hasOwn(packages, key)) return `${src} stands for ${key}, which is not in packages`;
  }
  for (const [key, { dependencies = [] }] of Object.entries(packages)) {
    const lost = dependencies.find((needed) => !Object.hasOwn(packages, needed));
    if (lost !== undefined) return `${key} needs ${lost}, which is not in packages`;
  }
  return null;
}

/** The package of a tarball or of a commit has the name and the version that it says it has. */
function canStandFor(src: string, key: string): boolean {
  if (/^(?:file:|git\+)/.test(src)) return key.lastIndexOf("@") > 0;
  const [, name, range = ""] = /^npm:(.+)@([^@]+)$/.exec(src) ?? [];
  const version = key.slice(key.lastIndexOf("@") + 1);
  return key.slice(0, key.lastIndexOf("@")) === name && satisfies(version, range);
}
