/** `site doctor`: runs the checks and prints what they find. */
import { SiteError } from "#lib/errors";
import {
  type Diagnostic,
  diagnosticsOf,
  type ExaminedSite,
  type Finding,
  type LoadedSite,
  type Output,
  type Plugin,
  type ToolInput,
} from "#kernel";
import { pathFromHere } from "#lib/terminal";
import type { FindingLevel } from "#lib/diagnostics";
import { environmentChecks } from "./environment-checks.js";
import { folderChecks } from "./folder-checks.js";
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
  const contributed = await Promise.all(plugins.map(({ plugin }) => checksOf(plugin)));
  const all = [
    ...environmentChecks,
    ...broken,
    ...siteChecks(loaded),
    ...folderChecks,
    ...contributed.flat(),
  ];
  const repairs = input.options["fix"] === true;
  const first = await examine(
    all.filter(({ needsSite }) => needsSite !== true),
    examined,
    { repairs },
  );
  const start = all.filter(({ name }) => name === startCheck.name);
  const missing = missingForStart(all, first);
  const mayStart = isValid && missing.length === 0;
  const started = mayStart ? await examine(start, examined, { repairs }) : [];
  const starts = mayStart && !hasErrors(started);
  if (isValid && !mayStart) started.push(notStarted(missing));
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

/** Names of checks with errors, without which no site starts: it would wait for them. */
function missingForStart(all: readonly Diagnostic[], findings: readonly Reported[]): string[] {
  const needed = new Set(all.flatMap(({ name, isNeeded }) => (isNeeded === true ? name : [])));
  const failed = findings.filter(({ check, level }) => level === "error" && needed.has(check));
  return [...new Set(failed.map(({ check }) => check))];
}

function notStarted(missing: readonly string[]): Reported {
  const seen = `not started, and its checks left out, because of the errors of: ${missing.join(", ")}`;
  return { check: "site", level: "warning", seen, fix: null, repaired: [] };
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
    return { loaded, broken: [failed("plugins", error)] };
  }
}

/** The checks of a plugin; a finding when they cannot be loaded. */
async function checksOf(plugin: Plugin): Promise<readonly Diagnostic[]> {
  try {
    return await diagnosticsOf(plugin);
  } catch (error) {
    if (!(error instanceof SiteError)) throw error;
    return [failed(plugin.name, error)];
  }
}

/** A check that reports an error that has happened before it. */
function failed(name: string, { message, fix }: SiteError): Diagnostic {
  return { name, run: () => [{ level: "error", seen: message, fix }] };
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
  /** Time limit of each check, in ms. Default: ten seconds, a minute for the start. */
  readonly limitMs?: number;
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
  { repairs, limitMs }: ExamineOptions,
): Promise<Reported[]> {
  const limit = limitMs ?? (diagnostic.name === startCheck.name ? START_LIMIT_MS : LIMIT_MS);
  const findings = await run(diagnostic, examined, limit);
  const repairable = repairs ? findings.filter(({ repair }) => repair !== undefined) : [];
  if (repairable.length === 0) return findings.map((finding) => toReport(diagnostic, finding, []));
  const repaired: string[] = [];
  for (const { repair } of repairable) repaired.push(await applied(repair));
  const now = await run(diagnostic, examined, limit);
  const left = now.length > 0 ? now : [{ level: "ok", seen: "repaired" } as const];
  return left.map((finding, at) => toReport(diagnostic, finding, at === 0 ? repaired : []));
}

async function run(
  diagnostic: Diagnostic,
  examined: ExaminedSite,
  limit: number,
): Promise<readonly Finding[]> {
  const late = (): Finding[] => [
    { level: "error", seen: `no result within ${limit / 1_000} seconds`, fix: LATE_FIX },
  ];
  const patience = new Patience(limit);
  try {
    const running = Promise.resolve().then(() => diagnostic.run(examined));
    return await Promise.race([running, patience.over.then(late)]);
  } catch (error) {
    return [fromError(error)];
  } finally {
    patience.end();
  }
}

const TICK_MS = 100;
/** The most that one tick counts, in ms. */
const MAX_TICK_MS = 2 * TICK_MS;

/**
 * A time limit that leaves out the time in which this process did not run: checks load large packages, for seconds
 * on a busy machine, and the others, which have a result by then, would all be late.
 */
class Patience {
  readonly over: Promise<void>;
  readonly #timer: NodeJS.Timeout;

  constructor(limitMs: number) {
    const { promise, resolve } = withResolver();
    this.over = promise;
    let leftMs = limitMs;
    let last = performance.now();
    this.#timer = setInterval(
      () => {
        const now = performance.now();
        leftMs -= Math.min(now - last, MAX_TICK_MS);
        last = now;
        if (leftMs <= 0) resolve();
      },
      Math.min(TICK_MS, limitMs),
    );
  }

  end(): void {
    clearInterval(this.#timer);
  }
}

function withResolver(): { promise: Promise<void>; resolve: () => void } {
  let resolve = (): void => undefined;
  const promise = new Promise<void>((done) => (resolve = done));
  return { promise, resolve };
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
