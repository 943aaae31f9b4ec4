import type { CommandInput } from "../contracts.js";
import { processEnv } from "../config/env.js";
import { SiteError } from "../errors.js";
import type { House } from "../load-site.js";
import { silentLog } from "../log.js";
import { within } from "../within.js";
import { createSite, type Site } from "../site.js";

/** How a site without some of its plugins answers an address. */
export interface ProbeResult {
  /** Null when it did not start or did not answer. */
  status: number | null;
  body: string;
  /** Why it did not start or did not answer. */
  error: string | null;
}

/** Longest time for a start and an answer, in seconds, unless another one is asked for. */
const DEFAULT_SECONDS = 30;
const MOST_SECONDS = 3_600;
/** Longest wait for a site to close; its answer is known by then, in ms. */
const CLOSE_MS = 5_000;

/**
 * Boots the site on a free port of the loopback interface, asks for one address and says how it answers;
 * a start or an answer that does not come in time is told, and ends the process.
 */
export async function probeSite(house: House, input: CommandInput): Promise<number> {
  const [url = "/"] = input.args;
  const { safe, without, timeout } = input.options;
  const path = pathOf(url);
  const limitMs = timeoutOf(timeout);
  const opened: Site[] = [];
  const boot = async (): Promise<Site> => {
    const site = await createSite(input.root, {
      house,
      env: processEnv("production"),
      log: silentLog,
      safe: safe === true,
      without: typeof without === "string" ? without.split(",") : [],
    });
    opened.push(site);
    return site;
  };
  const tooLate = (): null => null;
  const result = await within(limitMs, probe(path, boot), tooLate);
  tell(result ?? { status: null, body: "", error: lateness(limitMs) }, input);
  const closing = Promise.all(opened.map((site) => site.close()));
  const hasClosed = result !== null && (await within(CLOSE_MS, closing, tooLate)) !== null;
  // What hangs may hold the process for good.
  if (!hasClosed) process.exit(result?.error === null ? 0 : 1);
  return result.error === null ? 0 : 1;
}

function tell(result: ProbeResult, { options, out }: CommandInput): void {
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

/** What a site that takes too long is said to be. */
export function lateness(limitMs: number): string {
  return `no answer within ${limitMs / 1_000} s`;
}

/**
 * The value of `--timeout` in ms.
 * @throws ERR_CLI_OPTION.
 */
export function timeoutOf(seconds: unknown = DEFAULT_SECONDS): number {
  const number = Number(seconds);
  if (Number.isInteger(number) && number >= 1 && number <= MOST_SECONDS) return number * 1_000;
  throw new SiteError("ERR_CLI_OPTION", `--timeout is ${JSON.stringify(seconds)}`, {
    fix: `give whole seconds from 1 to ${MOST_SECONDS}`,
  });
}

function describe(error: unknown): string {
  if (error instanceof SiteError) return `${error.code}: ${error.message}`;
  return error instanceof Error ? error.message : String(error);
}

/**
 * Path and query of an address of the site; its host is of no interest.
 * @throws ERR_CLI_OPTION.
 */
export function pathOf(address: string): string {
  if (address.startsWith("/")) return address;
  const match = /^https?:\/\/[^/?#]+([/?][^#]*)?/i.exec(address);
  if (match === null) {
    throw new SiteError("ERR_CLI_OPTION", `the address is ${JSON.stringify(address)}`, {
      fix: "give a path such as /blog, or a whole URL of the site",
    });
  }
  const [, path = "/"] = match;
  return path.startsWith("/") ? path : `/${path}`;
}
