/** Compares two locks, and a lock with the packages that the configuration names. */
import { satisfies } from "#lib/versions";
import { installedVersion, lockProblem, type InstalledRecord, type SiteLock } from "#lib/packages";
import { daysFor } from "./choose-version.js";
import type { DependencyAge } from "./contract.js";
import { packageName, type Source } from "./sources.js";

/** One difference between the current lock and the intended one. */
export interface LockDiff {
  section: "specifiers" | "packages" | "minimumDependencyAge";
  key: string;
  /** `blocked`: the installed package differs from the pinned one. */
  kind: "added" | "upgraded" | "removed" | "blocked";
  from: string | null;
  to: string | null;
}

/** The changes from the first lock to the second. */
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

/** A specifier whose package differs from the pinned one. */
export function blockedDiff(src: string, from: string | null, to: string | null = null): LockDiff {
  return { section: "specifiers", key: src, kind: "blocked", from, to };
}

/** The inputs of the check. */
export interface CheckInput {
  lock: SiteLock;
  installed: InstalledRecord | null;
  /** In use, from npm, a tarball or git. */
  wanted: readonly Source[];
  /** Configured, in use or not. */
  known: readonly string[];
  age: DependencyAge;
}

/** The changes that `lockfile:sync` would make, determined offline. */
export function checkLock({ lock, installed, wanted, known, age }: CheckInput): LockDiff[] {
  const used = wanted.flatMap((source): LockDiff[] => {
    const { src, npm } = source;
    const name = packageName(source, installed);
    const pinned = lock.specifiers[src] ?? null;
    if (pinned === null) {
      const version =
        name === null || installed === null ? null : installedVersion(installed, name);
      const to = version === null ? null : `${name}@${version}`;
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

/** The contradiction in a lock after a bad manual merge; null when it is consistent. */
export function inconsistency({ specifiers, packages }: SiteLock): string | null {
  for (const [src, key] of Object.entries(specifiers)) {
    if (!canStandFor(src, key)) {
      return `${src} cannot resolve to ${key}`;
    }
    if (!Object.hasOwn(packages, key)) return `${src} resolves to ${key}, which is not in packages`;
  }
  for (const [key, { dependencies = [] }] of Object.entries(packages)) {
    const lost = dependencies.find((needed) => !Object.hasOwn(packages, needed));
    if (lost !== undefined) return `${key} needs ${lost}, which is not in packages`;
  }
  return null;
}

/** A package from a tarball or a commit declares its own name and version. */
function canStandFor(src: string, key: string): boolean {
  if (/^(?:file:|git\+)/.test(src)) return key.lastIndexOf("@") > 0;
  const [, name, range = ""] = /^npm:(.+)@([^@]+)$/.exec(src) ?? [];
  const version = key.slice(key.lastIndexOf("@") + 1);
  return key.slice(0, key.lastIndexOf("@")) === name && satisfies(version, range);
}
