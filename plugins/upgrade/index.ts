/**
 * Upgrades the installed package: plans from the contracts of both versions, applies, checks, undoes.
 */
import { definePlugin, type Command, type CommandInput } from "#kernel";
import { upgradeErrors, upgradeError } from "./errors.js";

const MODES = ["plan", "apply", "undo", "check"] as const;

/** `site upgrade`: plans, applies and undoes an upgrade of the installed package. */
const upgradeCommand: Command = {
  name: "upgrade",
  summary: "list what another version changes for this site, install it, or undo that",
  options: [
    ["--plan", "list what changes (the default); exit 1 when something must be fixed first"],
    [
      "--apply",
      "back up, install, migrate and check; a failed check brings the former version back",
    ],
    ["--undo", "bring the version before the last upgrade back; content stays"],
    ["--check", "start the site without a port, and check pages and search"],
    ["--to <version>", "a version, range, tag, folder or tarball (default: latest)"],
    ["--no-backup", "with --apply: without a backup"],
    ["--timeout <seconds>", "with --apply: time limit of the check (default: 600)"],
    ["--migrate-from <version>", "with --check: first migrate the configuration of that version"],
    ["--json", "print JSON"],
  ],
  run: upgrade,
};

async function upgrade(input: CommandInput): Promise<number> {
  const [mode = "plan", another] = MODES.filter((name) => input.options[name] === true);
  if (another !== undefined) {
    const message = `--${mode} and --${another} exclude each other`;
    throw upgradeError("ERR_UPGRADE_OPTION", message, { fix: "pass one of them", exitCode: 2 });
  }
  // Loaded only for this command: servers start without it. Complete, because --apply replaces the files.
  const commands = await import("./commands.js");
  return commands[mode](input);
}

export default definePlugin({
  name: "upgrade",
  version: "1.0.0",
  description: "Upgrades",
  errors: upgradeErrors,
  commands: [upgradeCommand],
});
