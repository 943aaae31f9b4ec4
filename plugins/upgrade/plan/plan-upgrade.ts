/** Compares two versions for one site. */
import { z } from "zod";
import { satisfies } from "#lib/versions";
import type { Output } from "#kernel";
import {
  commandChanges,
  exportChanges,
  hookChanges,
  routeChanges,
  serviceChanges,
  templateChanges,
  settingChanges,
  type Versions,
  findingShape,
  type Finding,
} from "./changes.js";
import type { SiteUsage } from "./site-usage.js";

/** The consequences of an upgrade for a site. */
export const planShape = z.object({
  /** Versions. */
  from: z.string(),
  to: z.string(),
  /** False when an error has to be fixed first. */
  ok: z.boolean(),
  /** Errors first. */
  findings: z.array(findingShape),
});
export type UpgradePlan = z.output<typeof planShape>;

const ORDER = { error: 0, warning: 1, info: 2 } as const;

/** The changes between two versions that concern a site. `node`: the version of Node.js that runs it. */
export function planUpgrade(versions: Versions, usage: SiteUsage, node: string): UpgradePlan {
  const findings = [
    ...nodeChange(versions, node),
    ...pluginChanges(versions, usage),
    ...settingChanges(versions, usage),
    ...hookChanges(versions, usage),
    ...serviceChanges(versions, usage),
    ...templateChanges(versions, usage),
    ...exportChanges(versions, usage),
    ...routeChanges(versions, usage),
    ...commandChanges(versions),
    ...deprecated(usage),
  ].toSorted((a, b) => ORDER[a.level] - ORDER[b.level]);
  const ok = findings.every(({ level }) => level !== "error");
  return { from: versions.from.version, to: versions.to.version, ok, findings };
}

function nodeChange({ to }: Versions, node: string): Finding[] {
  if (satisfies(node, to.node)) return [];
  const message = `version ${to.version} needs Node.js ${to.node}, this is ${node}`;
  const fix = "install that version of Node.js first";
  return [{ level: "error", kind: "node", name: "node", message, usedIn: [], fix }];
}

function pluginChanges({ from, to }: Versions, usage: SiteUsage): Finding[] {
  return usage.plugins.flatMap((plugin): Finding[] => {
    const { name, src, engine } = plugin;
    const usedIn = [src ?? "site.yaml"];
    const base = { level: "error" as const, kind: "plugin" as const, name, usedIn };
    if (plugin.firstParty) {
      if (to.plugins.includes(name) || !from.plugins.includes(name)) return [];
      const message = `the first-party plugin ${name} no longer exists`;
      return [{ ...base, message, fix: "remove it from plugins in site.yaml" }];
    }
    const fix = "install a version of the plugin for it: site plugin:update --latest";
    if (engine !== null && !satisfies(to.pluginApi, engine)) {
      const message = `plugin ${name} needs plugin API ${engine}, version ${to.version} has ${to.pluginApi}`;
      return [{ ...base, message, fix }];
    }
    const peer = usage.peers.get(name);
    if (peer === undefined || satisfies(to.version, peer, { includePrerelease: true })) return [];
    return [{ ...base, message: `plugin ${name} needs sitewright ${peer}`, fix }];
  });
}

function deprecated({ deprecations }: SiteUsage): Finding[] {
  return deprecations.map(({ plugin, code, message, since }) => ({
    level: "warning",
    kind: "deprecation",
    name: code,
    message: `${message} (${code}, deprecated since ${since})`,
    usedIn: [`plugin ${plugin}`],
    fix: "change it: the next major version removes it",
  }));
}

/** Files and keys that are printed for one change. */
const MAX_USES = 5;

/** Prints a plan for people. */
export function printPlan({ from, to, ok, findings }: UpgradePlan, out: Output): void {
  const { green, yellow, red, dim, cyan, bold } = out.colour;
  const marks = { error: red("✗"), warning: yellow("!"), info: dim("·") } as const;
  out.line(bold(`${from} → ${to}`));
  for (const { level, message, usedIn, fix } of findings) {
    out.line(`${marks[level]} ${message}`);
    for (const use of usedIn.slice(0, MAX_USES)) out.line(dim(`  in ${use}`));
    if (usedIn.length > MAX_USES) out.line(dim(`  and ${usedIn.length - MAX_USES} more`));
    if (fix !== null) out.line(`  ${cyan("fix:")} ${fix}`);
  }
  const count = (level: string): number => findings.filter((one) => one.level === level).length;
  out.line(`${count("error")} errors, ${count("warning")} warnings`);
  out.line(ok ? `${green("✓")} ready: site upgrade --apply` : "fix the errors first");
}
