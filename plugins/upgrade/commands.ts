/** The modes of `site upgrade`: `--plan`, `--apply`, `--undo` and `--check`. */
import { join, dirname } from "node:path";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { type CommandInput, readRuntimeFolder, type Logger, type Output } from "#kernel";
import { errorCode } from "#lib/errors";
import { makeFolder, ProcessLock, lockRoot } from "#lib/files";
import { packageRoot, readPackage } from "#lib/packages";
import { applyUpgrade, type Upgraded, runSite } from "./apply/apply-upgrade.js";
import { undoLastUpgrade, upgradingProcess } from "./apply/journal.js";
import { upgradeError } from "./errors.js";
import { findInstallation, type Installation, ageLimits, upgradeState } from "./installation.js";
import { planShape, printPlan, planUpgrade } from "./plan/plan-upgrade.js";
import { fetchTarget, installedContract } from "./plan/target.js";
import { siteUsage } from "./plan/site-usage.js";
import { migrateConfig } from "./apply/migrations.js";

/** Prints the plan; resolves with 1 when it has errors. @throws ERR_UPGRADE_TARGET, ERR_UPGRADE_NPM. */
export async function plan(input: CommandInput): Promise<number> {
  const from = await installedContract();
  const { name } = readPackage();
  const limits = await ageLimits(input.root, name);
  const installation = { name, home: dirname(dirname(packageRoot())), range: "", limits };
  return withFolder(async (work) => {
    const { contract: to } = await fetchTarget(parseTarget(input), installation, work);
    const usage = await siteUsage(input.root, await input.site());
    const planned = planUpgrade({ from, to }, usage, process.versions.node);
    if (input.options["json"] === true) input.out.json(planned);
    else printPlan(planned, input.out);
    return planned.ok ? 0 : 1;
  });
}

/** The value of `--to`. @throws ERR_UPGRADE_OPTION. */
function parseTarget({ options }: CommandInput): string {
  const { to = "latest" } = options;
  if (typeof to === "string" && to !== "" && !to.startsWith("-")) return to;
  throw upgradeError("ERR_UPGRADE_OPTION", `--to is ${JSON.stringify(to)}`, {
    fix: "pass a version, a folder, or a tarball",
    exitCode: 2,
  });
}

/** Runs `work` with a temporary folder. */
async function withFolder<T>(work: (folder: string) => Promise<T>): Promise<T> {
  const folder = await mkdtemp(join(tmpdir(), "site-upgrade-"));
  try {
    return await work(folder);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

const DEFAULT_SECONDS = 600;
const MAX_SECONDS = 86_400;

/**
 * Installs another version; see `applyUpgrade`.
 * @throws ERR_UPGRADE_…; ERR_ROOT_LOCKED while a server runs on the root.
 */
export async function apply(input: CommandInput): Promise<number> {
  const { root, options, out } = input;
  const checkMs = parseSeconds(options["timeout"]) * 1_000;
  const installation = await findInstallation(root);
  return exclusively(installation, root, () =>
    withFolder(async (work) => {
      const target = await fetchTarget(parseTarget(input), installation, work);
      await assertPlan(installation, target.tarball, input);
      const upgraded = await applyUpgrade({
        installation,
        target,
        root,
        checkMs,
        withBackup: options["backup"] !== false,
        onStep: (step) => {
          if (options["json"] !== true) out.line(out.colour.dim(step));
        },
      });
      if (options["json"] === true) out.json(upgraded);
      else print(upgraded, input);
      return 0;
    }),
  );
}

/** Brings the former version back. @throws ERR_UPGRADE_UNDO; ERR_ROOT_LOCKED while a server runs. */
export async function undo({ root, options, out }: CommandInput): Promise<number> {
  const installation = await findInstallation(root);
  return exclusively(installation, root, async () => {
    const undone = await undoLastUpgrade(installation);
    if (options["json"] === true) out.json(undone);
    else {
      out.line(`${out.colour.green("✓")} version ${undone.to} is back; content is unchanged`);
      for (const file of undone.setAside) out.line(`  your later text: ${file}.before-undo`);
      if (undone.backup !== null) out.line(`  for the whole site as it was: ${undone.backup}`);
    }
    return 0;
  });
}

function print({ from, to, backup, migrated }: Upgraded, { out }: CommandInput): void {
  out.line(
    `${out.colour.green("✓")} upgraded from ${from} to ${to}: the site starts; pages and search work`,
  );
  for (const summary of migrated) out.line(`  configuration: ${summary}`);
  if (backup !== null) out.line(`  backup: ${backup}`);
  out.line("  to go back: site upgrade --undo");
}

/** No server runs on the root, and no other upgrade of the installation. */
async function exclusively<T>(
  { state }: Installation,
  root: string,
  work: () => Promise<T>,
): Promise<T> {
  await makeState(state);
  const folder = await readRuntimeFolder(root);
  const upgradeLock = await ProcessLock.acquire(join(state, "upgrade.lock"), {
    locked: () => upgradeError("ERR_UPGRADE_RUNNING", "another process upgrades this installation"),
  });
  try {
    const server = await lockRoot(join(root, folder), () => undefined);
    try {
      return await work();
    } finally {
      server.release();
    }
  } finally {
    upgradeLock.release();
  }
}

async function makeState(state: string): Promise<void> {
  try {
    await makeFolder(state);
  } catch (cause) {
    const message = `${state} cannot be written: ${errorCode(cause)}`;
    throw upgradeError("ERR_UPGRADE_INSTALLATION", message, {
      fix: "run the command as the user who installed the package",
      cause,
    });
  }
}

/** Plans in another process: a site that was booted in this one would load files of the other version. */
async function assertPlan(
  installation: Installation,
  tarball: string,
  { root, out }: CommandInput,
): Promise<void> {
  const printed = await runSite(installation, {
    root,
    args: ["upgrade", "--plan", "--to", tarball],
    mayDisagree: true,
    limitMs: DEFAULT_SECONDS * 1_000,
    code: "ERR_UPGRADE_BLOCKED",
    message: "the plan failed, and nothing was changed",
    fix: "fix the reported problem, then upgrade",
  });
  const planned = planShape.parse(printed);
  if (planned.ok) return;
  printPlan(planned, { ...out, line: out.error });
  const [first] = planned.findings;
  throw upgradeError("ERR_UPGRADE_BLOCKED", first?.message ?? "the plan has errors", {
    fix: "fix the errors of the plan, then upgrade; nothing was changed",
  });
}

function parseSeconds(option: unknown = DEFAULT_SECONDS): number {
  const seconds = Number(option);
  if (Number.isInteger(seconds) && seconds >= 1 && seconds <= MAX_SECONDS) return seconds;
  throw upgradeError("ERR_UPGRADE_OPTION", `--timeout is ${JSON.stringify(option)}`, {
    fix: `pass whole seconds from 1 to ${MAX_SECONDS}`,
    exitCode: 2,
  });
}

const VERSION = /^\d+\.\d+\.\d+(?:-[\w.-]+)?$/;

/**
 * Migrates the configuration when asked to, then boots the site and runs the checks of a reload: home page, a page
 * of each template, search.
 * @throws ERR_UPGRADE_OPTION, the errors of the site.
 */
export async function check(input: CommandInput): Promise<number> {
  await endWithUpgrade();
  const migrated = await migrate(input);
  await input.site({ checks: true, log: errorLog(input.out) });
  if (input.options["json"] === true) input.out.json({ ok: true, migrated });
  else input.out.line(`${input.out.colour.green("✓")} the site starts; pages and search work`);
  return 0;
}

async function migrate({ root, options }: CommandInput): Promise<readonly string[]> {
  const { migrateFrom: from } = options;
  if (from === undefined) return [];
  if (typeof from === "string" && VERSION.test(from)) return migrateConfig(root, from);
  throw upgradeError("ERR_UPGRADE_OPTION", `--migrate-from is ${JSON.stringify(from)}`, {
    fix: "pass a version such as 0.4.0",
    exitCode: 2,
  });
}

const POLL_MS = 250;

/**
 * Ends this process soon after the upgrade that started it was killed. Otherwise the check could migrate the
 * configuration after the former version is back. Does nothing for a check that a person started.
 */
async function endWithUpgrade(): Promise<void> {
  const parent = await upgradingProcess(upgradeState());
  if (parent === null) return;
  endWithout(parent);
  setInterval(endWithout, POLL_MS, parent).unref();
}

function endWithout(parent: number): void {
  // An orphan has another parent.
  if (process.ppid !== parent) process.exit(1);
}

/** Lines of a stack that are printed: the message and where it was thrown. */
const MAX_STACK = 2;

/** A log that prints errors only: why a page fails in a check. */
function errorLog(out: Pick<Output, "error">): Logger {
  const ignore = (): void => undefined;
  const log: Logger = {
    debug: ignore,
    info: ignore,
    warn: ignore,
    child: () => log,
    error: (event, { error, stack } = {}) => {
      const lines = Array.isArray(stack) ? stack.slice(0, MAX_STACK) : [error ?? ""];
      out.error(`${event}: ${lines.map(String).join("\n")}`);
    },
  };
  return log;
}
