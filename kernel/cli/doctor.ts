/** Runs `site doctor`. */
import { processEnv } from "../config/env.js";
import type { CommandInput, ExaminedSite, Output } from "../contracts.js";
import { sitePaths } from "../boot/site-paths.js";
import { inspectSite, type FirstParty } from "../boot/load-site.js";
import { environmentChecks } from "../doctor/environment-checks.js";
import { examine, hasErrors, type Reported } from "../doctor/examine.js";
import { folderChecks } from "../doctor/folder-checks.js";
import { siteChecks } from "../doctor/site-checks.js";
import { SiteError } from "../errors.js";

/** Prints the findings; resolves with the exit code. @throws ERR_CONFIG_ROOT. */
export async function doctor(firstParty: FirstParty, input: CommandInput): Promise<number> {
  const env = processEnv();
  const loaded = await inspectSite(input.root, { firstParty, env, validates: true });
  const { settings, config, plugins } = loaded;
  const isValid = config.problems.length === 0;
  let booted: ReturnType<CommandInput["site"]> | null = null;
  const place: ExaminedSite = {
    ...{ settings, env, paths: sitePaths(loaded.root, settings) },
    site: () => (booted ??= isValid ? input.site() : Promise.reject(invalid())),
  };
  const contributed = plugins.flatMap(({ plugin }) => plugin.diagnostics ?? []);
  const all = [...environmentChecks, ...siteChecks(loaded), ...folderChecks, ...contributed];
  const repairs = input.options["fix"] === true;
  const first = await examine(
    all.filter(({ needsSite }) => needsSite !== true),
    place,
    { repairs },
  );
  const start = all.filter(({ name }) => name === "start");
  const started = await examine(isValid ? start : [], place, { repairs });
  const starts = isValid && !hasErrors(started);
  const others = all.filter(({ name, needsSite }) => needsSite === true && name !== "start");
  const last = starts ? await examine(others, place, { repairs }) : [];
  const findings = [...first, ...started, ...last];
  const ok = !hasErrors(findings);
  if (input.options["json"] === true) input.out.json({ ok, findings });
  else print(findings, input.out);
  return ok ? 0 : 1;
}

function invalid(): SiteError {
  return new SiteError("ERR_CONFIG_INVALID", "the configuration is invalid");
}

function print(findings: readonly Reported[], out: Output): void {
  const { green, yellow, red, dim, cyan, bold } = out.colour;
  const marks = { ok: green("✓"), warning: yellow("!"), error: red("✗") } as const;
  for (const { check, level, seen, fix, repaired } of findings) {
    out.line(`${marks[level]} ${bold(check)}: ${level === "ok" ? dim(seen) : seen}`);
    for (const text of repaired) out.line(`  ${green("fixed:")} ${text}`);
    if (fix !== null) out.line(`  ${cyan("fix:")} ${fix}`);
  }
  const count = (level: string): number => findings.filter((one) => one.level === level).length;
  out.line(`${count("error")} errors, ${count("warning")} warnings, ${count("ok")} checks passed`);
}
