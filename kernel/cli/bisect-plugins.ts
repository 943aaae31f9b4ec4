import { execFile, type ExecFileException } from "node:child_process";
import { processEnv } from "../config/env.js";
import type { CommandInput } from "../contracts.js";
import { SiteError } from "../errors.js";
import { inspectSite, type House } from "../load-site.js";
import { lateness, pathOf, timeoutOf, type ProbeResult } from "./probe-site.js";
import { smallestSet } from "./smallest-set.js";

/** A try that says nothing for this much longer than it may is ended from outside, in ms. */
const GRACE_MS = 3_000;
/** Tries with plugins may take so many times as long as the one without any of them, and at least that many ms. */
const SLOWER = 6;
const LEAST_MS = 5_000;
const MOST_OUTPUT = 64 * 1_024 * 1_024;

/** What is to blame for an address that the site does not answer as it should. */
export interface Verdict {
  url: string;
  /** `fine`: nothing is wrong; `house`: it is wrong without any code of the site too. */
  blame: "plugins" | "theme" | "house" | "fine";
  /** By `src`; none of them can be left out of the fault. */
  plugins: readonly string[];
  /** Sites that were started to find out. */
  tries: number;
  /** What is wrong with the whole site's answer. */
  symptom: string | null;
}

interface Asked {
  safe?: boolean;
  without?: readonly string[];
}
interface Limits {
  /** Longest time of a try, start included, in ms: a plugin may hang for good. */
  ms: number;
}

/** Finds the plugin (or the theme) that breaks an address, by starting the site with halves of them. */
export async function bisectPlugins(house: House, input: CommandInput): Promise<number> {
  const [url = "/"] = input.args;
  const path = pathOf(url);
  // Nothing of theirs is loaded here: one may be broken as a module.
  const { off: suspects } = await inspectSite(input.root, {
    ...{ house, env: processEnv(), safe: true },
  });
  const tries = { count: 0 };
  const { timeout } = input.options;
  const limits = { ms: timeoutOf(timeout) };
  const symptomOf = async (asked: Asked): Promise<string | null> => {
    tries.count += 1;
    const without = asked.without ?? [];
    const left = asked.safe === true ? "code of the house alone" : `without ${without.length}`;
    input.out.progress("starting sites", 0).tick(tries.count, left);
    const started = performance.now();
    const found = symptom(await tryOne(path, asked, { ...input, limits }), input.options);
    // How long this site takes is known now, and each of the tries that hang costs the whole limit.
    if (asked.safe === true && timeout === undefined) {
      limits.ms = limitAfter(performance.now() - started, limits.ms);
    }
    return found;
  };
  const verdict = (blame: Verdict["blame"], rest: Partial<Verdict> = {}): Verdict => ({
    ...{ url: path, blame, plugins: [], symptom: null, ...rest, tries: tries.count },
  });
  const found = await judge(suspects, symptomOf, verdict);
  tell(found, input);
  return found.blame === "fine" ? 0 : 1;
}

/** The limit of further tries, once one without any plugin took `tookMs`. */
export function limitAfter(tookMs: number, limitMs: number): number {
  return Math.min(limitMs, Math.max(LEAST_MS, Math.ceil((SLOWER * tookMs) / 1_000) * 1_000));
}

type Symptom = (asked: Asked) => Promise<string | null>;

async function judge(
  suspects: readonly string[],
  symptomOf: Symptom,
  verdict: (blame: Verdict["blame"], rest?: Partial<Verdict>) => Verdict,
): Promise<Verdict> {
  const house = await symptomOf({ safe: true });
  const first = await symptomOf({});
  if (first === null) return verdict("fine");
  if (house !== null) return verdict("house", { symptom: first });
  if ((await symptomOf({ without: suspects })) !== null)
    return verdict("theme", { symptom: first });
  const breaks = async (some: readonly string[]): Promise<boolean> => {
    const without = suspects.filter((one) => !some.includes(one));
    return (await symptomOf({ without })) !== null;
  };
  return verdict("plugins", { plugins: await smallestSet(suspects, breaks), symptom: first });
}

/** What is wrong with an answer; null when it is as it should be. */
export function symptom(
  { status, body, error }: ProbeResult,
  { expect, contains }: Record<string, unknown>,
): string | null {
  if (error !== null) return error;
  if (expect !== undefined && String(status) !== String(expect)) {
    return `status ${status}, expected ${String(expect)}`;
  }
  if (expect === undefined && (status ?? 500) >= 500) return `status ${status}`;
  if (typeof contains === "string" && !body.includes(contains)) {
    return `the answer does not contain ${JSON.stringify(contains)}`;
  }
  return null;
}

/** In a process of its own: what hangs or ends it is a finding, not the end of the search. */
async function tryOne(
  path: string,
  asked: Asked,
  { root, limits }: CommandInput & { limits: Limits },
): Promise<ProbeResult> {
  const [, bin = ""] = process.argv;
  const without = asked.without?.join(",") ?? "";
  const args = [
    ...process.execArgv,
    ...[bin, "plugins:probe", path, "--json", "--root", root],
    ...["--timeout", String(limits.ms / 1_000)],
    ...(asked.safe === true ? ["--safe"] : []),
    ...(without === "" ? [] : ["--without", without]),
  ];
  const { ms } = limits;
  const options = {
    timeout: ms + GRACE_MS,
    killSignal: "SIGKILL",
    maxBuffer: MOST_OUTPUT,
  } as const;
  return new Promise((resolve) => {
    execFile(process.execPath, args, options, (error, stdout, stderr) => {
      resolve(resultIn(stdout) ?? { status: null, body: "", error: endOf(error, stderr, ms) });
    });
  });
}

/** Why a process has said nothing. */
function endOf(error: ExecFileException | null, stderr: string, limitMs: number): string {
  if (error?.killed === true) return lateness(limitMs);
  return stderr.trim() || "it ended";
}

function resultIn(stdout: string): ProbeResult | null {
  try {
    // A plugin may print, too: the result is what begins the last object.
    return JSON.parse(stdout.slice(stdout.lastIndexOf('{\n  "status"'))) as ProbeResult;
  } catch {
    return null;
  }
}

const SENTENCES: Readonly<Record<Verdict["blame"], string>> = {
  fine: "the site answers as it should",
  house: "it is wrong without plugins and themes of the site, too: look at the content",
  theme:
    "the site's own theme is to blame: without plugins it is wrong, with the packaged theme it is not",
  plugins: "to blame:",
};

function tell(found: Verdict, { out, options }: CommandInput): void {
  if (options["json"] === true) return out.json(found);
  const { bold, red, green } = out.colour;
  if (found.symptom !== null) out.line(`${red("✗")} ${found.url}: ${found.symptom}`);
  else out.line(`${green("✓")} ${found.url}`);
  out.line(
    `${SENTENCES[found.blame]} ${found.plugins.map((one) => bold(one)).join(" together with ")}`,
  );
  out.line(out.colour.dim(`${found.tries} sites started`));
}

/** @throws ERR_CLI_OPTION for a status that is none. */
export function assertStatus(expect: unknown): void {
  if (expect === undefined || /^[1-5]\d\d$/.test(String(expect))) return;
  throw new SiteError("ERR_CLI_OPTION", `--expect is ${JSON.stringify(expect)}`, {
    fix: "give a status such as 200",
  });
}
