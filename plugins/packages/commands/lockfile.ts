/** `lockfile:sync` and `lockfile:check`. */
import type { Command, CommandInput } from "#kernel";
import { LOCK_FILE, lockProblem, readInstalled, readSiteLock, REINSTALL_FIX } from "#lib/packages";
import { checkLock, inconsistency, type LockDiff } from "../lock-diff.js";
import { listArchives, findSource, listPackages, listSources } from "../sources.js";
import { emptyLock, synchronise, type Workshop, type SyncResult } from "../synchronise.js";
import { openWorkshop } from "../command-input.js";

/** The option of every command with JSON output. */
export const JSON_OPTION = ["--json", "print JSON"] as const;

/** Prints the changes of the lock; returns the exit code. */
export function printSync(input: CommandInput, result: SyncResult, done?: string): number {
  const { out, options } = input;
  const ok = result.blocked.length === 0;
  if (options["json"] === true) {
    out.json({ ok, lockfilePath: LOCK_FILE, diffs: result.diffs, blocked: result.blocked });
    return ok ? 0 : 1;
  }
  for (const diff of result.diffs) {
    if (diff.section === "specifiers" && diff.kind !== "blocked") out.line(formatDiff(diff));
  }
  for (const message of result.blocked) out.error(`${out.colour.red("✗")} ${message}`);
  if (!ok) return 1;
  const count = (kind: LockDiff["kind"]): number =>
    result.diffs.filter((diff) => diff.section === "specifiers" && diff.kind === kind).length;
  out.line(
    `${LOCK_FILE}: ${count("added")} added, ${count("upgraded")} upgraded, ${count("removed")} removed, ${result.unchanged} unchanged`,
  );
  if (done !== undefined) {
    out.line(`${out.colour.green("✓")} ${done}; restart a running server to apply it`);
  }
  return 0;
}

/** One line for a difference. */
function formatDiff({ section, key, kind, from, to }: LockDiff): string {
  const sign = { added: "+", upgraded: "~", removed: "-", blocked: "✗" }[kind];
  const change = [from, to].filter((side) => side !== null).join(" → ");
  const what = section === "minimumDependencyAge" ? `minimum age of ${key}` : key;
  return `  ${sign} ${what}${change === "" ? "" : `  ${change}`}`;
}

/** `lockfile:sync`: installs pinned versions, and pins new entries. */
export const syncCommand: Command = {
  name: "lockfile:sync",
  summary: "install the versions of site.lock, pin new entries, remove unused ones",
  options: [
    ["--upgrade <sources...>", "plugins or themes to update to the newest version in their range"],
    ["--reinstall", "install packages whose bytes are not the pinned ones again"],
    JSON_OPTION,
  ],
  run: sync,
};

/** `lockfile:check`: exit 1 when the lock and the site disagree. Read-only and offline. */
export const checkCommand: Command = {
  name: "lockfile:check",
  summary: "check that site.lock, the configuration and node_modules agree; exit 1 if not",
  options: [JSON_OPTION],
  run: check,
};

async function sync(input: CommandInput): Promise<number> {
  const workshop = await openWorkshop(input);
  const option = input.options["upgrade"];
  const names = (Array.isArray(option) ? option : []).flatMap((name) => String(name).split(","));
  const sources = listSources(workshop.config);
  const upgraded = new Set(names.map((name) => findSource(sources, name).src));
  const damaged =
    input.options["reinstall"] === true ? await damagedSources(workshop) : new Set<string>();
  const result = await synchronise(workshop, {
    upgrade: (src) => upgraded.has(src),
    reinstall: (src) => damaged.has(src),
  });
  return printSync(input, result);
}

/** The specifiers whose installed bytes are not the pinned ones. */
async function damagedSources({ root, config }: Workshop): Promise<ReadonlySet<string>> {
  const [lock, installed] = [await readSiteLock(root), await readInstalled(root)];
  const sources = [...listPackages(config), ...listArchives(config)].map(({ src }) => src);
  if (lock === null) return new Set();
  return new Set(sources.filter((src) => lockProblem(lock, installed, src)?.kind === "integrity"));
}

async function check(input: CommandInput): Promise<number> {
  const { out, options, root } = input;
  const workshop = await openWorkshop(input);
  const { config, age } = workshop;
  const stored = await readSiteLock(root);
  const lock = stored ?? emptyLock(age);
  const packages = [...listPackages(config), ...listArchives(config)];
  const specifiers = listSources(config).map(({ src }) => src);
  const diffs = checkLock({
    lock,
    installed: await readInstalled(root),
    wanted: packages,
    known: specifiers,
    age,
  });
  const inconsistencyError = inconsistency(lock);
  const consistent = inconsistencyError === null;
  const ok = consistent && diffs.length === 0;
  if (options["json"] === true) {
    out.json({ ok, lockfilePath: LOCK_FILE, diffs, consistent, inconsistencyError });
    return ok ? 0 : 1;
  }
  for (const diff of diffs) out.line(formatDiff(diff));
  if (!consistent) out.error(`${LOCK_FILE} contradicts itself: ${inconsistencyError}`);
  const green = out.colour.green("✓");
  if (ok && stored === null) {
    out.line(`${green} the site uses no packages of others, so it needs no ${LOCK_FILE}`);
  } else if (ok) {
    out.line(`${green} ${LOCK_FILE} and the site agree (${packages.length})`);
  } else {
    const isDamaged = (await damagedSources(workshop)).size > 0;
    out.error(isDamaged ? REINSTALL_FIX : `run site lockfile:sync, and commit ${LOCK_FILE}`);
  }
  return ok ? 0 : 1;
}
