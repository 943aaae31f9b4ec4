import { promisify } from "node:util";
import { brotliCompress, constants, gzip } from "node:zlib";
import type { Answer } from "#kernel";
import { encodedEtag } from "./etag.js";

const gzipAsync = promisify(gzip);
const brotliAsync = promisify(brotliCompress);

/** Smallest body that is worth compressing, in bytes. */
const SMALLEST = 512;
const TEXT =
  /^(?:text\/|application\/(?:json|xml|rss\+xml|atom\+xml|feed\+json|javascript)|image\/svg)/;

const REFUSAL = /;\s*q=0(?:\.0*)?\s*(?:,|$)/;

/** Encodings of a held answer. */
export type Encoding = "identity" | "gzip" | "br";

/** What is known of an answer beside it. */
export interface HeldOptions {
  etag: string;
  /** Unix ms. */
  expiresAt: number;
  /** `req.ctx.route` of the request it was made for; default `other`. */
  route?: string;
}

/** An answer kept as bytes, with its encodings, made once, in the background. */
export class HeldAnswer {
  readonly key: string;
  readonly reads: ReadonlySet<string>;
  /** Unix ms. */
  readonly expiresAt: number;
  readonly etag: string;
  /** `req.ctx.route` of the request it was made for. */
  readonly route: string;
  readonly cacheControl: string;
  readonly size: number;
  /** Told each time the answer goes out from here. */
  readonly onHeld: (() => void) | undefined;
  readonly #variants = new Map<Encoding, Answer>();
  #toCompress: (() => Promise<void>) | null = null;

  constructor(key: string, answer: Answer, options: HeldOptions) {
    const body = typeof answer.body === "string" ? Buffer.from(answer.body) : answer.body;
    this.key = key;
    this.reads = answer.reads ?? new Set();
    this.expiresAt = options.expiresAt;
    this.etag = options.etag;
    this.route = options.route ?? "other";
    this.cacheControl = answer.headers?.["Cache-Control"] ?? "";
    this.size = body.length;
    this.onHeld = answer.onHeld;
    this.#variants.set("identity", { ...answer, body, final: true });
    if (body.length < SMALLEST || !TEXT.test(answer.type)) return;
    this.#toCompress = () => this.#compress(body, answer);
    // Addresses with a query are many and most are asked for once: those wait until somebody asks.
    if (!key.includes("?")) this.#startCompressing();
  }

  #startCompressing(): void {
    const compress = this.#toCompress;
    this.#toCompress = null;
    if (compress) void compress();
  }

  /** The best variant for `Accept-Encoding`; the plain one until the others are made. */
  variant(acceptEncoding: string | string[] | undefined): Answer {
    const accepted = typeof acceptEncoding === "string" ? acceptEncoding : "";
    if (this.#toCompress && accepted !== "") this.#startCompressing();
    const best = pick(accepted, this.#variants);
    const answer = this.#variants.get(best);
    if (answer) return answer;
    throw new Error("a held answer has its plain variant");
  }

  async #compress(body: Buffer, answer: Answer): Promise<void> {
    const quality = { [constants.BROTLI_PARAM_QUALITY]: 5 };
    const [zipped, brotli] = await Promise.all([
      gzipAsync(body, { level: 6 }),
      brotliAsync(body, { params: quality }),
    ]);
    this.#variants.set("gzip", this.#encoded(answer, zipped, "gzip"));
    this.#variants.set("br", this.#encoded(answer, brotli, "br"));
  }

  #encoded(answer: Answer, body: Buffer, encoding: "gzip" | "br"): Answer {
    const headers = {
      ...answer.headers,
      ETag: encodedEtag(this.etag, encoding),
      "Content-Encoding": encoding,
    };
    return { ...answer, body, headers, final: true };
  }
}

/** Refusals (`br;q=0`) are rare: then the plain variant goes out. */
function pick(accepted: string, variants: ReadonlyMap<Encoding, Answer>): Encoding {
  if (accepted === "" || REFUSAL.test(accepted)) return "identity";
  if (accepted.includes("br") && variants.has("br")) return "br";
  return accepted.includes("gzip") && variants.has("gzip") ? "gzip" : "identity";
}
