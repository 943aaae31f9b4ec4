/** `site upgrade`. */
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Command, CommandInput } from "#kernel";
import { packageRoot, readPackage } from "#kernel/internal";
import { upgradeError } from "../errors.js";

/** `site upgrade`: plans an upgrade of the installed package. */
export const upgradeCommand: Command = {
  name: "upgrade",
  summary: "list what an upgrade of the installed package changes for this site",
  options: [
    [
      "--plan",
      "list what changes for this site (the default); exit 1 when something must be fixed",
    ],
    ["--to <version>", "a version, tag, folder or tarball (default: latest)"],
    ["--json", "print JSON"],
  ],
  run: plan,
};

async function plan(input: CommandInput): Promise<number> {
  const { fetchTarget, installedContract } = await import("../plan/target.js");
  const { planUpgrade } = await import("../plan/plan-upgrade.js");
  const { printPlan } = await import("../plan/print-plan.js");
  const { siteUsage } = await import("../plan/site-usage.js");
  const from = await installedContract();
  const work = await mkdtemp(join(tmpdir(), "site-upgrade-"));
  try {
    const place = { name: readPackage().name, home: join(packageRoot(), "..", ".."), wanted: "" };
    const { contract: to } = await fetchTarget(targetOf(input), place, work);
    const usage = await siteUsage(input.root, await input.site());
    const planned = planUpgrade({ from, to }, usage, process.versions.node);
    if (input.options["json"] === true) input.out.json(planned);
    else printPlan(planned, input.out);
    return planned.ok ? 0 : 1;
  } finally {
    await rm(work, { recursive: true, force: true });
  }
}

function targetOf({ options }: CommandInput): string {
  const { to = "latest" } = options;
  if (typeof to === "string" && to !== "" && !to.startsWith("-")) return to;
  throw upgradeError("ERR_UPGRADE_OPTION", `--to is ${JSON.stringify(to)}`, {
    fix: "pass a version, a folder, or a tarball",
  });
}
