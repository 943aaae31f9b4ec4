/** Downloads a file through the guarded client. */
import { SiteError } from "#kernel";
import type { OutboundAnswer, OutboundPolicy, OutboundService } from "../../outbound/contract.js";

const MAX_BYTES = 64 * 1_048_576;
const TIMEOUT_MS = 60_000;
const MAX_REDIRECTS = 5;

/** The host does not answer now; it may later. */
export class Unavailable extends Error {}

/**
 * The bytes of a file. Every redirect is checked like the first address.
 * @throws Unavailable when another try may succeed, else a SiteError that says why not.
 */
export async function download(
  outbound: Pick<OutboundService, "request">,
  { url, policy }: { url: string; policy: OutboundPolicy },
): Promise<Buffer> {
  let at = url;
  for (let step = 0; step <= MAX_REDIRECTS; step += 1) {
    const answer = await request(outbound, { url: at, policy });
    const { location } = answer.headers;
    if (answer.status >= 300 && answer.status < 400 && location !== undefined) {
      if (!URL.canParse(location, at)) break;
      at = new URL(location, at).href;
    } else return bodyOf(answer, url);
  }
  throw failed(url, `redirects more than ${MAX_REDIRECTS} times`);
}

async function request(
  outbound: Pick<OutboundService, "request">,
  { url, policy }: { url: string; policy: OutboundPolicy },
): Promise<OutboundAnswer> {
  try {
    return await outbound.request(url, { maxBytes: MAX_BYTES, timeoutMs: TIMEOUT_MS, policy });
  } catch (error) {
    if (!(error instanceof SiteError)) throw error;
    const isTemporary = ["ERR_OUTBOUND_TIMEOUT", "ERR_OUTBOUND_NETWORK"].includes(error.code);
    if (isTemporary) throw new Unavailable(`${url}: ${error.message}`);
    const hint =
      error.code === "ERR_OUTBOUND_ADDRESS" ? "; --allow-private allows private hosts" : "";
    throw failed(url, error.message + hint);
  }
}

function bodyOf({ status, body }: OutboundAnswer, url: string): Buffer {
  if (status >= 200 && status < 300) return body;
  if (status >= 500 || status === 429)
    throw new Unavailable(`${url}: the host responded ${status}`);
  throw failed(url, `the host responded ${status}`);
}

function failed(url: string, problem: string): SiteError {
  return new SiteError("ERR_IMPORT_SOURCE", `${url}: ${problem}`);
}
