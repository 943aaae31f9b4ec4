/** `site upgrade --check`: what the new version does before it takes over. */
import type { CommandInput, Logger, Output } from "#kernel";
import { migrateConfig } from "../apply/migrations.js";
import { upgradeError } from "../errors.js";
import { upgradeState } from "../installation.js";
import { upgradingProcess } from "../apply/journal.js";

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
