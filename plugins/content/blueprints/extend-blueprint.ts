/** Resolves `extends`. */
import { isRecord } from "#kernel";
import { nearest } from "#kernel/internal";
import type { BlueprintFile } from "./blueprint-files.js";
import type { BlueprintMistake } from "./blueprint-problems.js";

/** Maximum length of a chain of `extends`. */
const MAX_CHAIN = 10;

type Values = Readonly<Record<string, unknown>>;

/** The values of a file with those of the files it extends; its own win, fields by name. */
export function extended(
  file: BlueprintFile,
  byName: ReadonlyMap<string, BlueprintFile>,
  report: (mistake: BlueprintMistake) => void,
): Values {
  const chain = [file];
  for (let at: BlueprintFile | null = file; at !== null;) {
    const next = baseOf(at, byName, chain);
    at = next?.base ?? null;
    if (at !== null) chain.push(at);
    // A mistake further up is reported with the file that has it.
    else if (next !== null && (chain.length === 1 || next.leadsTo === file))
      report({ path: ["extends"], message: next.mistake, fix: "correct it or remove it" });
  }
  return chain.map(({ source }) => source?.data ?? {}).reduceRight(merged);
}

/** The file that a file extends, or a mistake; null when it extends none. */
function baseOf(
  { source }: BlueprintFile,
  byName: ReadonlyMap<string, BlueprintFile>,
  chain: readonly BlueprintFile[],
): { base: BlueprintFile | null; mistake: string; leadsTo: BlueprintFile | null } | null {
  const name = source?.data["extends"] ?? null;
  if (name === null) return null;
  const base = typeof name === "string" ? byName.get(name) : undefined;
  if (base === undefined) return { base: null, mistake: unknown(name, byName), leadsTo: null };
  const mistake = faultOf(base, chain);
  return { base: mistake === null ? base : null, mistake: mistake ?? "", leadsTo: base };
}

function unknown(name: unknown, byName: ReadonlyMap<string, BlueprintFile>): string {
  const near = typeof name === "string" ? nearest(name, [...byName.keys()]) : null;
  const hint = near === null ? "" : `; did you mean ${near}?`;
  return `there is no file ${JSON.stringify(name)} to extend${hint}`;
}

function faultOf(base: BlueprintFile, chain: readonly BlueprintFile[]): string | null {
  const names = [...chain, base].map(({ name }) => name);
  if (chain.includes(base)) return `the chain leads back: ${names.join(" → ")}`;
  if (chain.length >= MAX_CHAIN) return `more than ${MAX_CHAIN} files extend each other`;
  return base.source === null ? `${base.path} cannot be read` : null;
}

function merged(base: Values, own: Values): Values {
  const [below, above] = [base["fields"], own["fields"]];
  const isBoth = isRecord(below) && isRecord(above);
  // These texts name one type only.
  const { title: _title, label: _label, ...inherited } = base;
  return { ...inherited, ...own, ...(isBoth && { fields: { ...below, ...above } }) };
}
