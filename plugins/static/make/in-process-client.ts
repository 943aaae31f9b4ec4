import type { Answer, SiteContext } from "#kernel";
import { MemoryConnection } from "#lib/http";
import type { Viewer } from "../../content/contract.js";
import type { SiteResponse, StaticService } from "../contract.js";

// A session cookie makes the request bypass the response cache.
const HEADERS = { cookie: "site_export=1" };

/** A visitor who sees drafts, but no gated pages. */
const DRAFTS: Viewer = { roles: null, seesUnpublished: true, onlyOpen: true };

/**
 * Sends requests to the site in this process, through the whole request pipeline, without a socket.
 */
export class InProcessClient implements StaticService {
  readonly #site: SiteContext;
  // Not a cache: one record per connection.
  readonly #answers = new WeakMap<object, Answer>();
  #count = 0;
  #showsDrafts = false;

  /** Registers a response filter and middleware; call it in `setup` only. */
  constructor(site: SiteContext) {
    this.#site = site;
    site.http.filter((req, _res, answer) => {
      if (isOurs(req.socket)) this.#answers.set(req.socket, answer);
    });
    site.http.use("identity", (req, _res, next) => {
      if (this.#showsDrafts && isOurs(req.socket)) req.ctx.state.viewer = DRAFTS;
      next();
    });
  }

  showDrafts(): void {
    this.#showsDrafts = true;
  }

  /** `target`: path and query as in a request line. */
  async request(target: string): Promise<SiteResponse> {
    const connection = new MemoryConnection(this.#nextAddress());
    const raw = await connection.send(this.#site.http, { target, headers: HEADERS });
    const answer = this.#answers.get(connection);
    return {
      status: raw.status,
      type: raw.headers["content-type"] ?? "",
      body: answer?.body ?? raw.body,
      headers: raw.headers,
      reads: answer?.cache?.tags ?? null,
      expiresAt: answer?.cache?.until ?? null,
    };
  }

  /** Rate limits count by address: each request gets its own, from a network without clients. */
  #nextAddress(): string {
    this.#count = (this.#count + 1) % 2 ** 24;
    return `0.${this.#count >> 16}.${(this.#count >> 8) & 255}.${this.#count & 255}`;
  }
}

function isOurs(socket: object): boolean {
  return socket instanceof MemoryConnection;
}
