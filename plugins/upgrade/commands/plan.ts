/** `site upgrade --plan`. */
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import type { CommandInput } from "#kernel";
import { packageRoot, readPackage } from "#lib/packages";
import { upgradeError } from "../errors.js";
import { ageLimits } from "../installation.js";
import { planUpgrade, printPlan } from "../plan/plan-upgrade.js";
import { siteUsage } from "../plan/site-usage.js";
import { fetchTarget, installedContract } from "../plan/target.js";

/** Prints the plan; resolves with 1 when it has errors. @throws ERR_UPGRADE_TARGET, ERR_UPGRADE_NPM. */
export async function plan(input: CommandInput): Promise<number> {
  const from = await installedContract();
  const { name } = readPackage();
  const limits = await ageLimits(input.root, name);
  const place = { name, home: dirname(dirname(packageRoot())), wanted: "", limits };
  return withFolder(async (work) => {
    const { contract: to } = await fetchTarget(targetOf(input), place, work);
    const usage = await siteUsage(input.root, await input.site());
    const planned = planUpgrade({ from, to }, usage, process.versions.node);
    if (input.options["json"] === true) input.out.json(planned);
    else printPlan(planned, input.out);
    return planned.ok ? 0 : 1;
  });
}

/** The value of `--to`. @throws ERR_UPGRADE_OPTION. */
export function targetOf({ options }: CommandInput): string {
  const { to = "latest" } = options;
  if (typeof to === "string" && to !== "" && !to.startsWith("-")) return to;
  throw upgradeError("ERR_UPGRADE_OPTION", `--to is ${JSON.stringify(to)}`, {
    fix: "pass a version, a folder, or a tarball",
    exitCode: 2,
  });
}

/** Runs `work` with a temporary folder. */
export async function withFolder<T>(work: (folder: string) => Promise<T>): Promise<T> {
  const folder = await mkdtemp(join(tmpdir(), "site-upgrade-"));
  try {
    return await work(folder);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
