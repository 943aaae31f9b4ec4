/** `site upgrade --apply` and `--undo`. */
import { join } from "node:path";
import { type CommandInput, readRuntimeFolder } from "#kernel";
import { errorCode } from "#lib/errors";
import { makeFolder, ProcessLock, lockRoot } from "#lib/files";
import { applyUpgrade, type Upgraded, runSite } from "../apply/apply-upgrade.js";
import { undoLastUpgrade } from "../apply/journal.js";
import { upgradeError } from "../errors.js";
import { findInstallation, type Installation } from "../installation.js";
import { planShape, printPlan } from "../plan/plan-upgrade.js";
import { fetchTarget } from "../plan/target.js";
import { targetOf, withFolder } from "./plan.js";

const DEFAULT_SECONDS = 600;
const MAX_SECONDS = 86_400;

/**
 * Installs another version; see `applyUpgrade`.
 * @throws ERR_UPGRADE_…; ERR_ROOT_LOCKED while a server runs on the root.
 */
export async function apply(input: CommandInput): Promise<number> {
  const { root, options, out } = input;
  const checkMs = secondsOf(options["timeout"]) * 1_000;
  const installation = await findInstallation(root);
  return exclusively(installation, root, () =>
    withFolder(async (work) => {
      const target = await fetchTarget(targetOf(input), installation, work);
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
  const own = await ProcessLock.acquire(join(state, "upgrade.lock"), {
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
    own.release();
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

function secondsOf(option: unknown = DEFAULT_SECONDS): number {
  const seconds = Number(option);
  if (Number.isInteger(seconds) && seconds >= 1 && seconds <= MAX_SECONDS) return seconds;
  throw upgradeError("ERR_UPGRADE_OPTION", `--timeout is ${JSON.stringify(option)}`, {
    fix: `pass whole seconds from 1 to ${MAX_SECONDS}`,
    exitCode: 2,
  });
}
