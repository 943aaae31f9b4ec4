/** One call of a provider's API. */
import { parseJson } from "#lib/values";
import { isRecord } from "#kernel";
import type { OutboundAnswer, OutboundService } from "../outbound/contract.js";
import { CdnRefusal } from "./errors.js";

const TIMEOUT_MS = 10_000;

/** A request to a provider. */
export interface ApiCall {
  url: string;
  /** Default: POST. */
  method?: "GET" | "POST";
  headers: Readonly<Record<string, string>>;
  /** Sent as JSON. */
  body?: unknown;
}

/** Makes a call and returns a 2xx response. Error messages contain the status, but no request data. */
export type CallApi = (call: ApiCall) => Promise<OutboundAnswer>;

/** Calls through the guarded client. @throws CdnRefusal for any status but 2xx. */
export function createCallApi(outbound: Pick<OutboundService, "request">, name: string): CallApi {
  return async ({ url, headers, body, method = "POST" }) => {
    const answer = await outbound.request(url, {
      method,
      headers: {
        Accept: "application/json",
        ...(body !== undefined && { "Content-Type": "application/json" }),
        ...headers,
      },
      ...(method === "POST" && { body: body === undefined ? "" : JSON.stringify(body) }),
      timeoutMs: TIMEOUT_MS,
      overflow: "discard",
      policy: "operator",
    });
    const { status } = answer;
    if (status >= 200 && status < 300) return answer;
    throw new CdnRefusal(`${name} answered ${status}`, retryAfterOf(answer));
  };
}

/** `Retry-After` in seconds, as milliseconds; dates are not read. */
function retryAfterOf({ headers }: OutboundAnswer): number | null {
  const text = headers["retry-after"] ?? "";
  return /^\d{1,6}$/.test(text) ? Number(text) * 1_000 : null;
}

/** The JSON object of a response. @throws CdnRefusal for anything else. */
export function objectOf(
  { body }: OutboundAnswer,
  name: string,
): Readonly<Record<string, unknown>> {
  const value = parseJson(body.toString());
  if (isRecord(value)) return { ...value };
  throw new CdnRefusal(`${name} answered something that is not JSON`);
}
