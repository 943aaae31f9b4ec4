import { execFile, type ExecFileException } from "node:child_process";
import { SiteError } from "#lib/errors";
import { within } from "#lib/concurrency";
import { optionError, type Site, type ToolInput } from "#kernel";

/** Extra time in ms after which an attempt without output is killed. */
const GRACE_MS = 3_000;
/** Time limit of attempts with plugins: a multiple of the one without plugins, and a minimum in ms. */
const SLOWER = 6;
const LEAST_MS = 5_000;
const MAX_OUTPUT = 64 * 1_024 * 1_024;

/** The culprit of an address with an unexpected response. */
export interface Verdict {
  url: string;
  /** `fine`: no fault; `content`: the fault also occurs without any code of the site. */
  blame: "plugins" | "theme" | "content" | "fine";
  /** By `src`; the fault needs all of them. */
  plugins: readonly string[];
  /** Number of sites started to find out. */
  tries: number;
  /** The fault in the response of the whole site. */
  symptom: string | null;
}

/** A start of the site without some of its code. */
export interface Attempt {
  safe?: boolean;
  without?: readonly string[];
}
/** Limits of the attempts; the first one shows how long a startup takes. */
interface Limits {
  /** Time limit of an attempt including startup, in ms: a plugin may hang. */
  ms: number;
}
/** The input of the command, with the limits of its attempts. */
export interface AttemptInput extends ToolInput {
  limits: Limits;
}
/** The response of an attempt to one path. */
export type TryOne = (path: string, attempt: Attempt, input: AttemptInput) => Promise<ProbeResult>;

/**
 * Finds the plugin (or theme) that breaks an address by starting the site with halves of them.
 * `tryOne`: starts it once; default: in a process of its own.
 */
export async function bisectPlugins(
  input: ToolInput,
  tryOne: TryOne = inOwnProcess,
): Promise<number> {
  const [url = "/"] = input.args;
  const path = parsePath(url);
  // Their modules are not loaded here: one may be broken.
  const { off: suspects } = await input.inspect({ safe: true });
  const tries = { count: 0 };
  const { timeout } = input.options;
  const limits = { ms: parseTimeout(timeout) };
  const tryAttempt = async (attempt: Attempt): Promise<string | null> => {
    tries.count += 1;
    const without = attempt.without ?? [];
    const left = attempt.safe === true ? "first-party plugins only" : `without ${without.length}`;
    input.out.progress("starting sites", 0).tick(tries.count, left);
    const started = performance.now();
    const failure = symptom(await tryOne(path, attempt, { ...input, limits }), input.options);
    // The startup time is known now; each attempt that hangs costs the whole limit.
    if (attempt.safe === true && timeout === undefined) {
      limits.ms = limitAfter(performance.now() - started, limits.ms);
    }
    return failure;
  };
  const verdict = (blame: Verdict["blame"], rest: Partial<Verdict> = {}): Verdict => ({
    url: path,
    blame,
    plugins: [],
    symptom: null,
    ...rest,
    tries: tries.count,
  });
  const result = await judge(suspects, tryAttempt, verdict);
  printVerdict(result, input);
  return result.blame === "fine" ? 0 : 1;
}

/** Time limit of further attempts, when one without any plugin took `tookMs`. */
export function limitAfter(tookMs: number, limitMs: number): number {
  return Math.min(limitMs, Math.max(LEAST_MS, Math.ceil((SLOWER * tookMs) / 1_000) * 1_000));
}

type Symptom = (attempt: Attempt) => Promise<string | null>;

async function judge(
  suspects: readonly string[],
  symptomOf: Symptom,
  verdict: (blame: Verdict["blame"], rest?: Partial<Verdict>) => Verdict,
): Promise<Verdict> {
  const plain = await symptomOf({ safe: true });
  const first = await symptomOf({});
  if (first === null) return verdict("fine");
  if (plain !== null) return verdict("content", { symptom: first });
  if ((await symptomOf({ without: suspects })) !== null)
    return verdict("theme", { symptom: first });
  const breaks = async (some: readonly string[]): Promise<boolean> => {
    const without = suspects.filter((one) => !some.includes(one));
    return (await symptomOf({ without })) !== null;
  };
  return verdict("plugins", { plugins: await smallestSet(suspects, breaks), symptom: first });
}

/** The fault in a response; null when it is as expected. */
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
    return `the response does not contain ${JSON.stringify(contains)}`;
  }
  return null;
}

/** A hang or crash is a result, not the end of the search. */
const inOwnProcess: TryOne = (path, attempt, { root, limits }) => {
  const [, bin = ""] = process.argv;
  const without = attempt.without?.join(",") ?? "";
  const args = [
    ...process.execArgv,
    bin,
    "plugins:probe",
    path,
    "--json",
    "--root",
    root,
    "--timeout",
    String(limits.ms / 1_000),
    ...(attempt.safe === true ? ["--safe"] : []),
    ...(without === "" ? [] : ["--without", without]),
  ];
  const { ms } = limits;
  const options = {
    timeout: ms + GRACE_MS,
    killSignal: "SIGKILL",
    maxBuffer: MAX_OUTPUT,
  } as const;
  return new Promise((resolve) => {
    execFile(process.execPath, args, options, (error, stdout, stderr) => {
      resolve(
        parseResult(stdout) ?? { status: null, body: "", error: describeEnd(error, stderr, ms) },
      );
    });
  });
};

/** Why a process printed no result. */
function describeEnd(error: ExecFileException | null, stderr: string, limitMs: number): string {
  if (error?.killed === true) return lateness(limitMs);
  return stderr.trim() || "the process exited without output";
}

function parseResult(stdout: string): ProbeResult | null {
  try {
    // A plugin may print, too: the result is the last object.
    return JSON.parse(stdout.slice(stdout.lastIndexOf('{\n  "status"'))) as ProbeResult;
  } catch {
    return null;
  }
}

const SENTENCES: Readonly<Record<Verdict["blame"], string>> = {
  fine: "the site responds as expected",
  content: "the fault occurs without the site's plugins and theme too: check the content",
  theme:
    "the site's theme causes the fault: it occurs without plugins, but not with the packaged theme",
  plugins: "caused by:",
};

function printVerdict(verdict: Verdict, { out, options }: ToolInput): void {
  if (options["json"] === true) return out.json(verdict);
  const { bold, red, green } = out.colour;
  if (verdict.symptom !== null) out.line(`${red("✗")} ${verdict.url}: ${verdict.symptom}`);
  else out.line(`${green("✓")} ${verdict.url}`);
  out.line(`${SENTENCES[verdict.blame]} ${verdict.plugins.map((one) => bold(one)).join(" and ")}`);
  out.line(out.colour.dim(`${verdict.tries} sites started`));
}

/** @throws ERR_CLI_OPTION for an invalid status. */
export function assertStatus(expect: unknown): void {
  if (expect === undefined || /^[1-5]\d\d$/.test(String(expect))) return;
  throw optionError(`--expect is ${JSON.stringify(expect)}`, {
    fix: "pass a status such as 200",
  });
}

/**
 * The smallest subset of `suspects` that still breaks the site. Tries halves first, so one culprit
 * among n is found in about log2(n) attempts.
 * @param breaks true when a site with exactly these is broken; true for all `suspects`, false for none.
 */
export async function smallestSet<T>(
  suspects: readonly T[],
  breaks: (some: readonly T[]) => Promise<boolean>,
): Promise<readonly T[]> {
  let smallest = suspects;
  let parts = 2;
  while (smallest.length > 1) {
    const smaller = await smallerThan(smallest, Math.min(parts, smallest.length), breaks);
    if (smaller !== null) {
      smallest = smaller;
      parts = 2;
    } else if (parts >= smallest.length) break;
    else parts *= 2;
  }
  return smallest;
}

/** A half that breaks the site by itself, else all but one part. */
async function smallerThan<T>(
  all: readonly T[],
  count: number,
  breaks: (some: readonly T[]) => Promise<boolean>,
): Promise<readonly T[] | null> {
  const size = Math.ceil(all.length / count);
  const parts = Array.from({ length: count }, (_, at) => all.slice(at * size, (at + 1) * size));
  const others = count === 2 ? [] : parts.map((part) => all.filter((one) => !part.includes(one)));
  for (const part of [...parts, ...others]) {
    if (part.length > 0 && part.length < all.length && (await breaks(part))) return part;
  }
  return null;
}

/** The response of a site without some of its plugins. */
export interface ProbeResult {
  /** Null when it did not start or respond. */
  status: number | null;
  body: string;
  /** Why it did not start or respond. */
  error: string | null;
}

/** Default time limit for startup and response, in seconds. */
const DEFAULT_SECONDS = 30;
const MAX_SECONDS = 3_600;
/** Time limit for closing the site, in ms; the response is known by then. */
const CLOSE_MS = 5_000;

/**
 * Boots the site on a free port of the loopback interface, requests one address and prints the
 * response. A startup or response past the time limit is reported and ends the process.
 */
export async function probeSite(input: ToolInput): Promise<number> {
  const [url = "/"] = input.args;
  const { safe, without, timeout } = input.options;
  const path = parsePath(url);
  const limitMs = parseTimeout(timeout);
  const opened: Site[] = [];
  const boot = async (): Promise<Site> => {
    const site = await input.boot({
      safe: safe === true,
      without: typeof without === "string" ? without.split(",") : [],
    });
    opened.push(site);
    return site;
  };
  const tooLate = (): null => null;
  const result = await within(limitMs, probe(path, boot), tooLate);
  printResult(result ?? { status: null, body: "", error: lateness(limitMs) }, input);
  const closing = Promise.all(opened.map((site) => site.close()));
  const hasClosed = result !== null && (await within(CLOSE_MS, closing, tooLate)) !== null;
  // A hang could block the process forever.
  if (!hasClosed) process.exit(result?.error === null ? 0 : 1);
  return result.error === null ? 0 : 1;
}

function printResult(result: ProbeResult, { options, out }: ToolInput): void {
  if (options["json"] === true) out.json(result);
  else out.line(result.error ?? `${result.status}  ${result.body.length} characters`);
}

async function probe(path: string, boot: () => Promise<Site>): Promise<ProbeResult> {
  try {
    const site = await boot();
    const port = await site.listen(0);
    await site.ready;
    const answer = await fetch(`http://127.0.0.1:${port}${path}`, { redirect: "manual" });
    return { status: answer.status, body: await answer.text(), error: null };
  } catch (error) {
    return { status: null, body: "", error: describe(error) };
  }
}

/** The error of a site that exceeds its time limit. */
function lateness(limitMs: number): string {
  return `no response within ${limitMs / 1_000} s`;
}

/**
 * The value of `--timeout` in ms.
 * @throws ERR_CLI_OPTION.
 */
export function parseTimeout(seconds: unknown = DEFAULT_SECONDS): number {
  const number = Number(seconds);
  if (Number.isInteger(number) && number >= 1 && number <= MAX_SECONDS) return number * 1_000;
  throw optionError(`--timeout is ${JSON.stringify(seconds)}`, {
    fix: `pass whole seconds from 1 to ${MAX_SECONDS}`,
  });
}

function describe(error: unknown): string {
  if (error instanceof SiteError) return `${error.code}: ${error.message}`;
  return error instanceof Error ? error.message : String(error);
}

/**
 * Path and query of an address of the site; its host is ignored.
 * @throws ERR_CLI_OPTION.
 */
export function parsePath(address: string): string {
  if (address.startsWith("/")) return address;
  const match = /^https?:\/\/[^/?#]+([/?][^#]*)?/i.exec(address);
  if (match === null) {
    throw optionError(`the address is ${JSON.stringify(address)}`, {
      fix: "pass a path such as /blog, or a full URL of the site",
    });
  }
  const [, path = "/"] = match;
  return path.startsWith("/") ? path : `/${path}`;
}
