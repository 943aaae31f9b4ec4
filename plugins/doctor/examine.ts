/** Runs the checks of `site doctor`. */
import { SiteError } from "#lib/errors";
import { within } from "#lib/concurrency";
import type { FindingLevel } from "#lib/diagnostics";
import type { Diagnostic, ExaminedSite, Finding } from "#kernel/internal";

/** Time limits of a check in ms; the second one includes the boot. */
const LIMIT_MS = 10_000;
const SITE_LIMIT_MS = 60_000;

/** A finding, with the check that made it. */
export interface Reported {
  readonly check: string;
  readonly level: FindingLevel;
  readonly seen: string;
  readonly fix: string | null;
  /** What `--fix` did before this was seen. */
  readonly repaired: readonly string[];
}

/**
 * Runs checks side by side and reports in their order; with `repairs`, those with a safe fix again after
 * it. Never rejects: a check that fails is a finding.
 */
export async function examine(
  diagnostics: readonly Diagnostic[],
  place: ExaminedSite,
  options: { repairs: boolean },
): Promise<Reported[]> {
  const results = await Promise.all(
    diagnostics.map((diagnostic) => reportOf(diagnostic, place, options)),
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

async function reportOf(
  diagnostic: Diagnostic,
  place: ExaminedSite,
  { repairs }: { repairs: boolean },
): Promise<Reported[]> {
  const found = await run(diagnostic, place);
  const repairable = repairs ? found.filter(({ repair }) => repair !== undefined) : [];
  if (repairable.length === 0) return found.map((finding) => toReport(diagnostic, finding, []));
  const repaired: string[] = [];
  for (const { repair } of repairable) repaired.push(await applied(repair));
  const now = await run(diagnostic, place);
  const left = now.length > 0 ? now : [{ level: "ok", seen: "repaired" } as const];
  return left.map((finding, at) => toReport(diagnostic, finding, at === 0 ? repaired : []));
}

async function run(diagnostic: Diagnostic, place: ExaminedSite): Promise<readonly Finding[]> {
  const limit = diagnostic.needsSite === true ? SITE_LIMIT_MS : LIMIT_MS;
  const late = (): Finding[] => [
    { level: "error", seen: `no result within ${limit / 1_000} seconds`, fix: LATE_FIX },
  ];
  try {
    const running = Promise.resolve().then(() => diagnostic.run(place));
    return await within(limit, running, late);
  } catch (error) {
    return [fromError(error)];
  }
}

const LATE_FIX = "check the network, the disk and the load of this machine";

/** A failure as a finding. */
export function fromError(error: unknown): Finding {
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
