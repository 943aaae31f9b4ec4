/** `site upgrade --check`: what the new version does before it takes over. */
import type { CommandInput } from "#kernel";
import { endWithUpgrade } from "../apply/end-with-upgrade.js";
import { migrateConfig } from "../apply/migrations.js";
import { upgradeError } from "../errors.js";
import { errorLog } from "./error-log.js";

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
