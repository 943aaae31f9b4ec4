/** Runs `site doctor`. */
import { SiteError } from "#lib/errors";
import {
  pathFromHere,
  sitePaths,
  type Diagnostic,
  type ExaminedSite,
  type LoadedSite,
  type Output,
  type ToolInput,
} from "#kernel/internal";
import { environmentChecks } from "../environment-checks.js";
import { examine, hasErrors, type Reported } from "../examine.js";
import { folderChecks, foldersCheck } from "../folder-checks.js";
import { siteChecks } from "../site-checks.js";

/** Prints the findings; resolves with the exit code. @throws ERR_CONFIG_ROOT. */
export async function doctor(input: ToolInput): Promise<number> {
  const { loaded, broken } = await inspected(input);
  const { settings, config, plugins, env } = loaded;
  const isValid = broken.length === 0 && config.problems.length === 0;
  let booted: ReturnType<ToolInput["site"]> | null = null;
  const place: ExaminedSite = {
    settings,
    env,
    paths: sitePaths(loaded.root, settings),
    site: () => (booted ??= isValid ? input.site() : Promise.reject(invalid())),
  };
  const contributed = plugins.flatMap(({ plugin }) => plugin.diagnostics ?? []);
  const all = [
    ...environmentChecks,
    ...broken,
    ...siteChecks(loaded),
    ...folderChecks,
    ...contributed,
  ];
  const repairs = input.options["fix"] === true;
  const first = await examine(
    all.filter(({ needsSite }) => needsSite !== true),
    place,
    { repairs },
  );
  const start = all.filter(({ name }) => name === "start");
  // A server writes to its folders from the start on; the site of a command does not.
  const canWrite = !hasErrors(first.filter(({ check }) => check === foldersCheck.name));
  const mayStart = isValid && canWrite;
  const started = await examine(mayStart ? start : [], place, { repairs });
  const starts = mayStart && !hasErrors(started);
  const others = all.filter(({ name, needsSite }) => needsSite === true && name !== "start");
  const last = starts ? await examine(others, place, { repairs }) : [];
  const findings = [...first, ...started, ...last];
  const ok = !hasErrors(findings);
  if (input.options["json"] === true) input.out.json({ ok, findings });
  else print(findings, pathFromHere(loaded.root), input.out);
  return ok ? 0 : 1;
}

/** The site; without its own plugins when these cannot be loaded together, which is a finding then. */
async function inspected(
  input: ToolInput,
): Promise<{ loaded: LoadedSite; broken: readonly Diagnostic[] }> {
  try {
    return { loaded: await input.inspect({ validates: true }), broken: [] };
  } catch (error) {
    if (!(error instanceof SiteError) || !error.code.startsWith("ERR_PLUGIN")) throw error;
    const loaded = await input.inspect({ validates: true, safe: true });
    const finding = { level: "error", seen: error.message, fix: error.fix } as const;
    return { loaded, broken: [{ name: "plugins", run: () => [finding] }] };
  }
}

function invalid(): SiteError {
  return new SiteError("ERR_CONFIG_INVALID", "the configuration is invalid");
}

/** `root`: the folder that the paths of findings are relative to. */
function print(findings: readonly Reported[], root: string, out: Output): void {
  const { green, yellow, red, dim, cyan, bold } = out.colour;
  const marks = { ok: green("✓"), warning: yellow("!"), error: red("✗") } as const;
  for (const { check, level, seen, fix, repaired } of findings) {
    out.line(`${marks[level]} ${bold(check)}: ${level === "ok" ? dim(seen) : seen}`);
    for (const text of repaired) out.line(`  ${green("fixed:")} ${text}`);
    if (fix !== null) out.line(`  ${cyan("fix:")} ${fix}`);
  }
  const hasFix = findings.some(({ fix }) => fix !== null);
  if (hasFix && root !== ".") out.line(`paths and commands of fixes are relative to ${root}`);
  const count = (level: string): number => findings.filter((one) => one.level === level).length;
  out.line(`${count("error")} errors, ${count("warning")} warnings, ${count("ok")} checks passed`);
}
