/** Makes the lock and `node_modules` match the configuration. */
import { join } from "node:path";
import { isDeepStrictEqual } from "node:util";
import { atomicWrite, type RawConfig } from "#kernel";
import { satisfies } from "#lib/versions";
import {
  formatSiteLock,
  installedTree,
  installedVersion,
  LOCK_FILE,
  lockProblem,
  readInstalled,
  readSiteLock,
  type InstalledRecord,
  type SiteLock,
} from "#lib/packages";
import { chooseVersion, daysFor } from "./choose-version.js";
import type { DependencyAge } from "./contract.js";
import { packagesError } from "./errors.js";
import type { Npm } from "./npm.js";
import { blockedDiff, lockDifferences, type LockDiff } from "./lock-diff.js";
import { listArchives, packageName, listPackages, listSources, type Source } from "./sources.js";

/** The result of synchronising; nothing is written while anything is blocked. */
export interface SyncResult {
  diffs: LockDiff[];
  /** Specifiers with an unchanged version. */
  unchanged: number;
  /** The reason of each blocked entry. */
  blocked: string[];
}
/** The input of synchronising. */
export interface Workshop {
  root: string;
  config: Pick<RawConfig, "site">;
  age: DependencyAge;
  npm: Npm;
  /** Unix ms. */
  now: number;
  /** Called before each step that takes long, with what is done. */
  onStep?(step: string): void;
}
/** Changes beyond installing missing packages. */
export interface SyncWishes {
  /** Specifiers that get a new version, or other bytes than the pinned ones. */
  upgrade?(src: string): boolean;
  /** Specifiers whose pinned version is installed again. */
  reinstall?(src: string): boolean;
}
/** A step that lasts is reported again after this time, in ms. */
const STEP_MS = 15_000;

interface Pin {
  src: string;
  name: string;
  version: string;
  isKept: boolean;
}

/**
 * Installs the wanted versions: pinned ones, and new ones for specifiers that are not pinned, that
 * `upgrade` names, or whose age rule has changed since. Those of `reinstall` are first removed. Without a
 * lock, an installed version that satisfies its range is pinned.
 * @throws ERR_PACKAGE_VERSION, ERR_PACKAGE_NPM, ERR_LOCK_BROKEN.
 */
export async function synchronise(
  workshop: Workshop,
  { upgrade = () => false, reinstall = () => false }: SyncWishes = {},
): Promise<SyncResult> {
  const { root, config, age, npm } = workshop;
  const before = await readSiteLock(root);
  const damaged = [...listPackages(config), ...listArchives(config)].filter(({ src }) =>
    reinstall(src),
  );
  if (damaged.length > 0) {
    const installedBefore = (await readInstalled(root)) ?? {};
    const names = damaged.flatMap((source) => packageName(source, installedBefore) ?? []);
    await step(workshop, `removing ${names.join(", ")}`, () => npm.uninstall(names));
  }
  const installed = (await readInstalled(root)) ?? {};
  const pins = await pinAll(workshop, before, installed, upgrade);
  const isThere = ({ name, version }: Pin): boolean =>
    installedVersion(installed, name) === version;
  const missing = uniquePins(pins.filter((pin) => !isThere(pin)));
  await installing(
    workshop,
    missing.map(({ name, version }) => `${name}@${version}`),
    () => npm.install(missing, age),
  );
  const after = await installArchives(workshop, installed, upgrade);
  pins.push(...archivePins(workshop, before, after, upgrade));
  const blocked = before === null ? [] : blockedPins(before, after, pins, reinstall);
  const next = nextLock(workshop, before, after, pins);
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
 * Installs missing tarballs and commits, and reinstalls those to upgrade: npm uses its cached bytes for
 * a known source. Resolves with the installed packages.
 */
async function installArchives(
  workshop: Workshop,
  installed: InstalledRecord,
  upgrade: (src: string) => boolean,
): Promise<InstalledRecord> {
  const { root, config, age, npm } = workshop;
  const archives = listArchives(config);
  const upgraded = archives.filter(({ src }) => upgrade(src));
  await npm.uninstall(upgraded.flatMap((source) => packageName(source, installed) ?? []));
  const isThere = (source: Source): boolean => packageName(source, installed) !== null;
  const missing = archives.filter((source) => upgraded.includes(source) || !isThere(source));
  const sources = missing.map(({ src }) => src);
  await installing(workshop, sources, () => npm.installArchives(sources, age));
  return (await readInstalled(root)) ?? {};
}

/** Installs packages, after a line that names them; npm installs those of `package.json` that are missing, too. */
async function installing(
  workshop: Workshop,
  names: readonly string[],
  work: () => Promise<void>,
): Promise<void> {
  if (names.length === 0) return;
  const isFirst = (await readInstalled(workshop.root)) === null;
  const more = isFirst ? " and the packages of package.json, which may take minutes" : "";
  await step(workshop, `installing ${names.join(", ")}${more}`, work);
}

/** Reports a step, again while it lasts. */
async function step({ onStep }: Workshop, what: string, work: () => Promise<void>): Promise<void> {
  onStep?.(what);
  const started = performance.now();
  const seconds = (): number => Math.round((performance.now() - started) / 1_000);
  const timer = setInterval(() => onStep?.(`still ${what} (${seconds()} s)`), STEP_MS);
  try {
    await work();
  } finally {
    clearInterval(timer);
  }
}

/** @throws ERR_PACKAGE_ENTRY when two sources are one package, ERR_PACKAGE_NPM. */
function archivePins(
  { config }: Workshop,
  before: SiteLock | null,
  after: InstalledRecord,
  upgrade: (src: string) => boolean,
): Pin[] {
  const taken = new Map(listPackages(config).map(({ npm: { name }, src }) => [name, src]));
  return listArchives(config).map((source) => {
    const { src } = source;
    const name = packageName(source, after);
    if (name === null) {
      const message = `npm installed another package instead of ${src}`;
      throw packagesError(
        "ERR_PACKAGE_NPM",
        message,
        "two entries are the same package: remove one",
      );
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

/** An empty lock. */
export function emptyLock(age: DependencyAge): SiteLock {
  return { version: 1, minimumDependencyAge: age, specifiers: {}, packages: {} };
}

async function pinAll(
  workshop: Workshop,
  lock: SiteLock | null,
  installed: InstalledRecord,
  upgrade: (src: string) => boolean,
): Promise<Pin[]> {
  const { age, npm, now } = workshop;
  const packages = listPackages(workshop.config);
  const pins: Pin[] = [];
  for (const {
    src,
    npm: { name },
  } of packages) {
    // The top of node_modules has one version of a package, for all sources.
    const range = packages.flatMap((one) => (one.npm.name === name ? one.npm.range : [])).join(" ");
    const pin = upgrade(src) || lock === null ? null : keptVersion(lock, src, { name, range, age });
    // Without a lock, pin what runs today instead of the newest version.
    const present = upgrade(src) || lock !== null ? null : fittingVersion(installed, name, range);
    const version = pin ?? present ?? chooseVersion(await npm.published(name), { range, age, now });
    pins.push({ src, name, version, isKept: pin !== null });
  }
  return pins;
}

/** The installed version of a package if it satisfies a range, else null. */
function fittingVersion(installed: InstalledRecord, name: string, range: string): string | null {
  const version = installedVersion(installed, name);
  return version !== null && satisfies(version, range) ? version : null;
}

/** The rules for the version of a package. */
interface WantedVersion {
  readonly name: string;
  readonly range: string;
  readonly age: DependencyAge;
}

/** The pinned version, if it satisfies the range and its age rule is unchanged. */
function keptVersion(
  lock: SiteLock,
  src: string,
  { name, range, age }: WantedVersion,
): string | null {
  const key = Object.hasOwn(lock.specifiers, src) ? lock.specifiers[src] : undefined;
  const version = key?.slice(key.lastIndexOf("@") + 1);
  if (version === undefined || !satisfies(version, range)) return null;
  return daysFor(name, lock.minimumDependencyAge) === daysFor(name, age) ? version : null;
}

function uniquePins(pins: readonly Pin[]): Pin[] {
  return [...new Map(pins.map((pin) => [pin.name, pin])).values()];
}

/** Unchanged pins for which npm installed something else. */
function blockedPins(
  before: SiteLock,
  after: InstalledRecord,
  pins: readonly Pin[],
  reinstall: (src: string) => boolean,
): { src: string; message: string }[] {
  return pins.flatMap(({ src, isKept }) => {
    const problem = isKept ? lockProblem(before, after, src) : null;
    if (problem === null) return [];
    const fix = reinstall(src)
      ? `its source has other bytes now: find out why; site lockfile:sync --upgrade ${src} pins them`
      : problem.fix;
    return [{ src, message: `${problem.message}; ${fix}` }];
  });
}

/** The lock of the installed packages. A disabled plugin stays pinned. */
function nextLock(
  { config, age }: Workshop,
  before: SiteLock | null,
  after: InstalledRecord,
  pins: readonly Pin[],
): SiteLock {
  const next = emptyLock(age);
  for (const { src, name, version } of pins) {
    const installedNow = installedVersion(after, name);
    if (installedNow !== version) {
      const message = `npm installed ${name}@${installedNow ?? "nothing"} instead of ${version}`;
      throw packagesError(
        "ERR_PACKAGE_DRIFT",
        message,
        "two entries need different versions of it",
      );
    }
    next.specifiers[src] = `${name}@${version}`;
    Object.assign(next.packages, installedTree(after, name));
  }
  if (before !== null) keepDisabled(config, before, next);
  return next;
}

function keepDisabled(config: Workshop["config"], before: SiteLock, next: SiteLock): void {
  for (const { src, enabled, npm, archive } of listSources(config)) {
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
  await atomicWrite(join(root, LOCK_FILE), formatSiteLock(next), { access: "shared" });
}

/** The keys of a package and its transitive dependencies. */
function keysBelow(
  lock: Pick<SiteLock, "packages">,
  key: string,
  seen = new Set<string>(),
): ReadonlySet<string> {
  if (seen.has(key)) return seen;
  seen.add(key);
  for (const needed of lock.packages[key]?.dependencies ?? []) keysBelow(lock, needed, seen);
  return seen;
}
