import type { Plugin } from "#kernel";
import type { OutboundAnswer, OutboundRequest, OutboundService } from "../contract.js";
import { outboundError } from "../target.js";

/** A request that a test site tried to send. */
export interface SentRequest {
  method: string;
  url: URL;
  /** Names as the sender wrote them. */
  headers: Readonly<Record<string, string>>;
  /** As text; empty when absent. */
  body: string;
}
/** The stubbed response: a status, or a response whose body may be a value (sent as JSON). */
export type StubAnswer =
  number | { status?: number; headers?: Readonly<Record<string, string>>; body?: unknown };
/** Responds instead of the network; undefined: the host does not respond. */
export type OutboundStub = (
  request: SentRequest,
) => StubAnswer | undefined | Promise<StubAnswer | undefined>;

/** The outbound service of a test site: nothing leaves the process. */
export class StubbedOutbound implements OutboundService {
  /** In the order of sending. */
  readonly requests: SentRequest[] = [];
  readonly #answer: OutboundStub;

  constructor(answer: OutboundStub = () => undefined) {
    this.#answer = answer;
  }

  async request(url: string, request: OutboundRequest = {}): Promise<OutboundAnswer> {
    const sent = {
      method: request.method ?? "GET",
      url: new URL(url),
      headers: request.headers ?? {},
      body: String(request.body ?? ""),
    };
    this.requests.push(sent);
    const answer = await this.#answer(sent);
    if (answer === undefined) {
      throw outboundError("ERR_OUTBOUND_NETWORK", `no stub responds for ${sent.url.hostname}`);
    }
    return toAnswer(typeof answer === "number" ? { status: answer } : answer);
  }

  /** Tests may call any address, since none is reached. */
  async refusal(): Promise<null> {
    return null;
  }
}

function toAnswer({ status = 200, headers = {}, body = "" }: Exclude<StubAnswer, number>) {
  const bytes = Buffer.isBuffer(body)
    ? body
    : Buffer.from(typeof body === "string" ? body : JSON.stringify(body));
  return { status, headers, body: bytes };
}

/** The plugin `outbound` with a stubbed client. */
export function withStub(outbound: Plugin, stub: StubbedOutbound): Plugin {
  return { ...outbound, setup: (site) => site.provide("outbound", stub) };
}
