/** `lockfile:sync` and `lockfile:check`. */
import type { Command, CommandInput } from "#kernel";
import {
  LOCK_FILE,
  lockProblem,
  readInstalled,
  readSiteLock,
  REINSTALL_FIX,
} from "#kernel/internal";
import { checkLock, inconsistency } from "../lock-diff.js";
import { archivesOf, packagesOf, sourcesOf } from "../sources.js";
import { emptyLock, synchronise, type Workshop } from "../synchronise.js";
import { openWorkshop } from "../workshop.js";
import { formatDiff, JSON_OPTION, printSync } from "./print-sync.js";
import { findSource } from "./remove-source.js";

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
  const given = input.options["upgrade"];
  const names = (Array.isArray(given) ? given : []).flatMap((name) => String(name).split(","));
  const sources = sourcesOf(workshop.config);
  const upgraded = new Set(names.map((name) => findSource(sources, { given: name }).src));
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
  const sources = [...packagesOf(config), ...archivesOf(config)].map(({ src }) => src);
  if (lock === null) return new Set();
  return new Set(sources.filter((src) => lockProblem(lock, installed, src)?.kind === "integrity"));
}

async function check(input: CommandInput): Promise<number> {
  const { out, options, root } = input;
  const workshop = await openWorkshop(input);
  const { config, age } = workshop;
  const found = await readSiteLock(root);
  const lock = found ?? emptyLock(age);
  const wanted = [...packagesOf(config), ...archivesOf(config)];
  const known = sourcesOf(config).map(({ src }) => src);
  const diffs = checkLock({ lock, installed: await readInstalled(root), wanted, known, age });
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
  if (ok && found === null) {
    out.line(`${green} the site uses no packages of others, so it needs no ${LOCK_FILE}`);
  } else if (ok) {
    out.line(`${green} ${LOCK_FILE} and the site agree (${wanted.length})`);
  } else {
    const isDamaged = (await damagedSources(workshop)).size > 0;
    out.error(isDamaged ? REINSTALL_FIX : `run site lockfile:sync, and commit ${LOCK_FILE}`);
  }
  return ok ? 0 : 1;
}
