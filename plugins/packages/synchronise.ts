/** Makes the lock and `node_modules` agree with what the configuration names. */
import { join } from "node:path";
import { isDeepStrictEqual } from "node:util";
import satisfies from "semver/functions/satisfies.js";
import {
  atomicWrite,
  formatSiteLock,
  installedTree,
  installedVersion,
  LOCK_FILE,
  lockProblem,
  readInstalled,
  readSiteLock,
  type InstalledRecord,
  type RawConfig,
  type SiteLock,
} from "#kernel";
import { chooseVersion, daysFor } from "./choose-version.js";
import type { DependencyAge } from "./contract.js";
import { packagesError } from "./errors.js";
import { keysBelow } from "./keys-below.js";
import type { Npm } from "./npm.js";
import { blockedDiff, lockDifferences, type LockDiff } from "./lock-diff.js";
import { archivesOf, packageName, packagesOf, sourcesOf, type Source } from "./sources.js";

/** What synchronising has found; nothing is written while anything is blocked. */
export interface SyncResult {
  diffs: LockDiff[];
  /** Specifiers whose version has stayed. */
  unchanged: number;
  /** Why each blocked entry is. */
  blocked: string[];
}
/** What synchronising works on. */
export interface Workshop {
  root: string;
  config: Pick<RawConfig, "site">;
  age: DependencyAge;
  npm: Npm;
  /** Unix ms. */
  now: number;
}
interface Pin {
  src: string;
  name: string;
  version: string;
  isKept: boolean;
}

/**
 * Installs what is wanted: versions that the lock pins, and new ones for specifiers that it does not
 * name, that `upgrade` names, or whose rule of age has changed since it was written. Without a lock an
 * installed version that satisfies its range is pinned.
 * @throws ERR_PACKAGE_VERSION, ERR_PACKAGE_NPM, ERR_LOCK_BROKEN.
 */
export async function synchronise(
  workshop: Workshop,
  upgrade: (src: string) => boolean = () => false,
): Promise<SyncResult> {
  const { root, age, npm } = workshop;
  const before = await readSiteLock(root);
  const installed = (await readInstalled(root)) ?? {};
  const pins = await pinAll(workshop, { lock: before, installed }, upgrade);
  const isThere = ({ name, version }: Pin): boolean =>
    installedVersion(installed, name) === version;
  await npm.install(once(pins.filter((pin) => !isThere(pin))), age);
  const after = await installArchives(workshop, installed, upgrade);
  pins.push(...archivePins(workshop, { before, after, upgrade }));
  const blocked = before === null ? [] : blockedPins(before, after, pins);
  const next = nextLock(workshop, { before, after, pins });
  const diffs = [
    ...lockDifferences(before ?? emptyLock(age), next),
    ...blocked.map(({ src }) => blockedDiff(src, before?.specifiers[src] ?? null)),
  ];
  if (blocked.length === 0) await writeLock(root, before, next);
  const same = pins.filter(({ src }) => before?.specifiers[src] === next.specifiers[src]);
  const unchanged = same.length - blocked.length;
  return { diffs, unchanged, blocked: blocked.map(({ message }) => message) };
}

/**
 * Installs tarballs and commits that are not there, and again those to upgrade: npm takes the bytes
 * that it has for a source it knows. Resolves with what is installed then.
 */
async function installArchives(
  { root, config, age, npm }: Workshop,
  installed: InstalledRecord,
  upgrade: (src: string) => boolean,
): Promise<InstalledRecord> {
  const archives = archivesOf(config);
  const upgraded = archives.filter(({ src }) => upgrade(src));
  await npm.uninstall(upgraded.flatMap((source) => packageName(source, installed) ?? []));
  const isThere = (source: Source): boolean => packageName(source, installed) !== null;
  const wanted = archives.filter((source) => upgraded.includes(source) || !isThere(source));
  await npm.installArchives(
    wanted.map(({ src }) => src),
    age,
  );
  return (await readInstalled(root)) ?? {};
}

/** @throws ERR_PACKAGE_ENTRY when two sources are one package, ERR_PACKAGE_NPM. */
function archivePins(
  { config }: Workshop,
  {
    before,
    after,
    upgrade,
  }: { before: SiteLock | null; after: InstalledRecord; upgrade: (src: string) => boolean },
): Pin[] {
  const taken = new Map(packagesOf(config).map(({ npm: { name }, src }) => [name, src]));
  return archivesOf(config).map((source) => {
    const { src } = source;
    const name = packageName(source, after);
    if (name === null) {
      const message = `npm has installed another package in the place of ${src}`;
      throw packagesError("ERR_PACKAGE_NPM", message, "two entries name one package: keep one");
    }
    const other = taken.get(name);
    if (other !== undefined) {
      const message = `${src} and ${other} are both the package ${name}`;
      const fix = "keep one of them, and run site lockfile:sync";
      throw packagesError("ERR_PACKAGE_ENTRY", message, fix);
    }
    taken.set(name, src);
    const isKept = before?.specifiers[src] !== undefined && !upgrade(src);
    return { src, name, version: installedVersion(after, name) ?? "", isKept };
  });
}

/** A lock that pins nothing. */
export function emptyLock(age: DependencyAge): SiteLock {
  return { version: 1, minimumDependencyAge: age, specifiers: {}, packages: {} };
}

async function pinAll(
  workshop: Workshop,
  { lock, installed }: { lock: SiteLock | null; installed: InstalledRecord },
  upgrade: (src: string) => boolean,
): Promise<Pin[]> {
  const { age, npm, now } = workshop;
  const wanted = packagesOf(workshop.config);
  const pins: Pin[] = [];
  for (const {
    src,
    npm: { name },
  } of wanted) {
    // One version of a package stands at the top of node_modules, for all who name it.
    const range = wanted.flatMap((one) => (one.npm.name === name ? one.npm.range : [])).join(" ");
    const kept =
      upgrade(src) || lock === null ? null : keptVersion(lock, src, { name, range, age });
    // Without a lock what runs today is pinned, not what the registry says today.
    const present = upgrade(src) || lock !== null ? null : fittingVersion(installed, name, range);
    const version =
      kept ?? present ?? chooseVersion(await npm.published(name), { range, age, now });
    pins.push({ src, name, version, isKept: kept !== null });
  }
  return pins;
}

/** The installed version of a package when it satisfies a range; null otherwise. */
function fittingVersion(installed: InstalledRecord, name: string, range: string): string | null {
  const version = installedVersion(installed, name);
  return version !== null && satisfies(version, range) ? version : null;
}

/** The version that the lock pins, while it fits and the rule it was chosen by still holds. */
function keptVersion(
  lock: SiteLock,
  src: string,
  { name, range, age }: { name: string; range: string; age: DependencyAge },
): string | null {
  const key = Object.hasOwn(lock.specifiers, src) ? lock.specifiers[src] : undefined;
  const version = key?.slice(key.lastIndexOf("@") + 1);
  if (version === undefined || !satisfies(version, range)) return null;
  return daysFor(name, lock.minimumDependencyAge) === daysFor(name, age) ? version : null;
}

function once(pins: readonly Pin[]): Pin[] {
  return [...new Map(pins.map((pin) => [pin.name, pin])).values()];
}

/** Kept pins for which npm has found something else than the lock says. */
function blockedPins(
  before: SiteLock,
  after: InstalledRecord,
  pins: readonly Pin[],
): { src: string; message: string }[] {
  return pins.flatMap(({ src, isKept }) => {
    const problem = isKept ? lockProblem(before, after, src) : null;
    return problem === null ? [] : [{ src, message: `${problem.message}; ${problem.fix}` }];
  });
}

/** The lock of what is installed. A plugin that is switched off keeps its pin. */
function nextLock(
  { config, age }: Workshop,
  { before, after, pins }: { before: SiteLock | null; after: InstalledRecord; pins: Pin[] },
): SiteLock {
  const next = emptyLock(age);
  for (const { src, name, version } of pins) {
    const found = installedVersion(after, name);
    if (found !== version) {
      const message = `npm has installed ${name}@${found ?? "nothing"} in the place of ${version}`;
      throw packagesError(
        "ERR_PACKAGE_DRIFT",
        message,
        "two entries need different versions of it",
      );
    }
    next.specifiers[src] = `${name}@${version}`;
    Object.assign(next.packages, installedTree(after, name));
  }
  if (before !== null) keepSwitchedOff(config, before, next);
  return next;
}

function keepSwitchedOff(config: Workshop["config"], before: SiteLock, next: SiteLock): void {
  for (const { src, enabled, npm, archive } of sourcesOf(config)) {
    const isPackage = npm !== null || archive !== null;
    const key = enabled || !isPackage ? undefined : before.specifiers[src];
    if (key === undefined || next.specifiers[src] !== undefined) continue;
    next.specifiers[src] = key;
    for (const needed of keysBelow(before, key)) {
      const pinned = before.packages[needed];
      if (pinned !== undefined) next.packages[needed] ??= pinned;
    }
  }
}

async function writeLock(root: string, before: SiteLock | null, next: SiteLock): Promise<void> {
  if (before !== null && isDeepStrictEqual(before, next)) return;
  await atomicWrite(join(root, LOCK_FILE), formatSiteLock(next));
}
