import { SiteError } from "#lib/errors";
import { within } from "#lib/concurrency";
import { optionError, type ToolInput } from "#kernel/internal";
import type { Site } from "#kernel";

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
  const path = pathOf(url);
  const limitMs = timeoutOf(timeout);
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
  tell(result ?? { status: null, body: "", error: lateness(limitMs) }, input);
  const closing = Promise.all(opened.map((site) => site.close()));
  const hasClosed = result !== null && (await within(CLOSE_MS, closing, tooLate)) !== null;
  // A hang could block the process forever.
  if (!hasClosed) process.exit(result?.error === null ? 0 : 1);
  return result.error === null ? 0 : 1;
}

function tell(result: ProbeResult, { options, out }: ToolInput): void {
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
export function lateness(limitMs: number): string {
  return `no response within ${limitMs / 1_000} s`;
}

/**
 * The value of `--timeout` in ms.
 * @throws ERR_CLI_OPTION.
 */
export function timeoutOf(seconds: unknown = DEFAULT_SECONDS): number {
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
export function pathOf(address: string): string {
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
