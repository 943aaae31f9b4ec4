import type { CommandInput } from "../contracts.js";
import { processEnv } from "../config/env.js";
import { SiteError } from "../errors.js";
import type { House } from "../load-site.js";
import { silentLog } from "../log.js";
import { createSite, type Site } from "../site.js";

/** How a site without some of its plugins answers an address. */
export interface ProbeResult {
  /** Null when it did not start or did not answer. */
  status: number | null;
  body: string;
  /** Why it did not start or did not answer. */
  error: string | null;
}

/** Longest wait for one answer, in ms. */
const ANSWER_MS = 15_000;

/** Boots the site on a free port of the loopback interface, asks for one address and says how it answers. */
export async function probeSite(house: House, input: CommandInput): Promise<number> {
  const [url = "/"] = input.args;
  const { safe, without } = input.options;
  const result = await probe(pathOf(url), () =>
    createSite(input.root, {
      house,
      env: processEnv("production"),
      log: silentLog,
      safe: safe === true,
      without: typeof without === "string" ? without.split(",") : [],
    }),
  );
  if (input.options["json"] === true) input.out.json(result);
  else input.out.line(result.error ?? `${result.status}  ${result.body.length} characters`);
  return result.error === null ? 0 : 1;
}

async function probe(path: string, boot: () => Promise<Site>): Promise<ProbeResult> {
  const opened: Site[] = [];
  try {
    const site = await boot();
    opened.push(site);
    const port = await site.listen(0);
    await site.ready;
    const answer = await fetch(`http://127.0.0.1:${port}${path}`, {
      redirect: "manual",
      signal: AbortSignal.timeout(ANSWER_MS),
    });
    return { status: answer.status, body: await answer.text(), error: null };
  } catch (error) {
    return { status: null, body: "", error: describe(error) };
  } finally {
    for (const site of opened) await site.close();
  }
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
