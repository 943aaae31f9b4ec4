/** `site doctor`: runs the checks and prints what they find. */
import { SiteError } from "#lib/errors";
import type { Diagnostic, ExaminedSite, Finding, LoadedSite, Output, ToolInput } from "#kernel";
import { pathFromHere } from "#lib/terminal";
import { within } from "#lib/concurrency";
import type { FindingLevel } from "#lib/diagnostics";
import { environmentChecks } from "./environment-checks.js";
import { folderChecks, foldersCheck } from "./folder-checks.js";
import { siteChecks, startCheck } from "./site-checks.js";

/** Prints the findings; resolves with the exit code. @throws ERR_CONFIG_ROOT. */
export async function doctor(input: ToolInput): Promise<number> {
  const { loaded, broken } = await inspected(input);
  const { settings, config, paths, plugins, env } = loaded;
  const isValid = broken.length === 0 && config.problems.length === 0;
  let booted: ReturnType<ToolInput["site"]> | null = null;
  const examined: ExaminedSite = {
    settings,
    env,
    paths,
    site: () =>
      (booted ??= isValid
        ? input.site()
        : Promise.reject(new SiteError("ERR_CONFIG_INVALID", "the configuration is invalid"))),
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
    examined,
    { repairs },
  );
  const start = all.filter(({ name }) => name === startCheck.name);
  // A server writes to its folders from the start on; the site of a command does not.
  const canWrite = !hasErrors(first.filter(({ check }) => check === foldersCheck.name));
  const mayStart = isValid && canWrite;
  const started = await examine(mayStart ? start : [], examined, { repairs });
  const starts = mayStart && !hasErrors(started);
  const others = all.filter(
    ({ name, needsSite }) => needsSite === true && name !== startCheck.name,
  );
  const last = starts ? await examine(others, examined, { repairs }) : [];
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

/** Time limit of a check, in ms. */
const LIMIT_MS = 10_000;
/** Time limit of the check that boots the site for all others, in ms. */
const START_LIMIT_MS = 60_000;

/** A finding, with the check that made it. */
export interface Reported {
  readonly check: string;
  readonly level: FindingLevel;
  readonly seen: string;
  readonly fix: string | null;
  /** Repairs by `--fix`, before this was seen. */
  readonly repaired: readonly string[];
}

/** Options of a run. */
interface ExamineOptions {
  /** True: applies safe fixes, then runs the checks again that have some. */
  readonly repairs: boolean;
}

/**
 * Runs checks side by side and reports in their order; with `repairs`, those with a safe fix again after
 * it. Never rejects: a check that fails is a finding.
 */
export async function examine(
  diagnostics: readonly Diagnostic[],
  examined: ExaminedSite,
  options: ExamineOptions,
): Promise<Reported[]> {
  const results = await Promise.all(
    diagnostics.map((diagnostic) => runDiagnostic(diagnostic, examined, options)),
  );
  const seen = new Set<string>();
  return results.flat().filter(({ check, level, seen: text }) => {
    const key = `${check} ${level} ${text}`;
    return !seen.has(key) && seen.add(key);
  });
}

/** The errors that the findings contain: the exit code of the command follows from them. */
export function hasErrors(findings: readonly Reported[]): boolean {
  return findings.some(({ level }) => level === "error");
}

async function runDiagnostic(
  diagnostic: Diagnostic,
  examined: ExaminedSite,
  { repairs }: ExamineOptions,
): Promise<Reported[]> {
  const findings = await run(diagnostic, examined);
  const repairable = repairs ? findings.filter(({ repair }) => repair !== undefined) : [];
  if (repairable.length === 0) return findings.map((finding) => toReport(diagnostic, finding, []));
  const repaired: string[] = [];
  for (const { repair } of repairable) repaired.push(await applied(repair));
  const now = await run(diagnostic, examined);
  const left = now.length > 0 ? now : [{ level: "ok", seen: "repaired" } as const];
  return left.map((finding, at) => toReport(diagnostic, finding, at === 0 ? repaired : []));
}

async function run(diagnostic: Diagnostic, examined: ExaminedSite): Promise<readonly Finding[]> {
  const limit = diagnostic.name === startCheck.name ? START_LIMIT_MS : LIMIT_MS;
  const late = (): Finding[] => [
    { level: "error", seen: `no result within ${limit / 1_000} seconds`, fix: LATE_FIX },
  ];
  try {
    const running = Promise.resolve().then(() => diagnostic.run(examined));
    return await within(limit, running, late);
  } catch (error) {
    return [fromError(error)];
  }
}

const LATE_FIX = "check the network, the disk and the load of this machine";

/** A failure as a finding. */
function fromError(error: unknown): Finding {
  const seen = error instanceof Error ? error.message : String(error);
  const fix = error instanceof SiteError ? error.fix : undefined;
  return { level: "error", seen, ...(fix !== undefined && { fix }) };
}

async function applied(repair: Finding["repair"]): Promise<string> {
  try {
    return (await repair?.()) ?? "";
  } catch (error) {
    return `not repaired: ${error instanceof Error ? error.message : String(error)}`;
  }
}

function toReport(
  { name }: Diagnostic,
  { level, seen, fix }: Finding,
  repaired: readonly string[],
): Reported {
  return { check: name, level, seen, fix: fix ?? null, repaired };
}
