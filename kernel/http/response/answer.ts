import type { Request, Response } from "express";
import {
  expectContentType,
  expectHeaders,
  expectStatus,
  type SitePath,
  SERVER_TIMING,
} from "#lib/http";
import { expectFields, expectKind, expectOptional, type ValueCheck } from "#lib/values";
import type { Answer, AnswerFilter } from "../../contracts.js";

type HeaderBlock = Readonly<Record<string, string>>;

/** Sends responses: filters first, then one `writeHead` with every header. */
export class AnswerWriter {
  readonly #sitePath: SitePath;
  readonly #filters: AnswerFilter[] = [];
  // No caches of the site's data: headers that go with their answer and their block.
  readonly #flat = new WeakMap<Answer, WeakMap<HeaderBlock, string[]>>();
  readonly #blocks = new WeakMap<HeaderBlock, readonly Header[]>();

  constructor(sitePath: SitePath) {
    this.#sitePath = sitePath;
  }

  addFilter(filter: AnswerFilter): void {
    this.#filters.push(filter);
  }

  /** Writes a response; HEAD gets only the headers. Does nothing when a response was already sent. */
  send(req: Request, res: Response, unfiltered: Answer): void {
    if (res.headersSent || res.destroyed) return;
    const answer = unfiltered.skipsFilters === true ? unfiltered : this.#public(unfiltered);
    if (answer.skipsFilters !== true && this.#filter(req, res, answer)) return;
    const { ctx } = req;
    const { responseHeaders = NONE, timings } = ctx;
    const headers =
      answer.skipsFilters === true
        ? this.#prepared(answer, responseHeaders)
        : this.#flatten(answer, responseHeaders, [REQUEST_ID, ctx.id]);
    // Passed to writeHead: the prototype's writeHead need not add them again.
    ctx.responseHeaders = WRITTEN;
    const all = !timings ? headers : [...headers, SERVER_TIMING, timings.header()];
    res.writeHead(answer.status ?? 200, all);
    if (req.method === "HEAD") res.end();
    else res.end(answer.body);
  }

  /** The response with public addresses; a copy, because an error page is sent many times. */
  #public(answer: Answer): Answer {
    const body = this.#sitePath.body(answer.type, answer.body);
    return body === answer.body ? answer : { ...answer, body };
  }

  /** True when a filter has responded. */
  #filter(req: Request, res: Response, answer: Answer): boolean {
    return this.#filters.some((filter) => filter(req, res, answer) === true);
  }

  /** Such a response is sent many times, each time with one of a few header blocks. */
  #prepared(answer: Answer, block: HeaderBlock): string[] {
    const byBlock = this.#flat.get(answer);
    const cached = byBlock?.get(block);
    if (cached !== undefined) return cached;
    const headers = this.#flatten(answer, block, []);
    if (byBlock) byBlock.set(block, headers);
    else this.#flat.set(answer, new WeakMap([[block, headers]]));
    return headers;
  }

  /**
   * Names and values in turn after `first`, the fastest form for `writeHead`. A header of the response
   * replaces the block's.
   */
  #flatten(answer: Answer, block: HeaderBlock, first: string[]): string[] {
    const { body, headers: ownHeaders = NONE, type } = answer;
    const flat = first;
    for (const [name, value] of this.#entriesOf(block)) {
      if (ownHeaders[name] === undefined) flat.push(name, value);
    }
    if (ownHeaders["Content-Type"] === undefined) flat.push("Content-Type", type);
    const length = typeof body === "string" ? Buffer.byteLength(body) : body.length;
    if (ownHeaders["Content-Length"] === undefined) flat.push("Content-Length", String(length));
    for (const name in ownHeaders) flat.push(name, ownHeaders[name] ?? "");
    return flat;
  }

  /** Blocks are created at startup: a few, each for many responses. */
  #entriesOf(block: HeaderBlock): readonly Header[] {
    const cached = this.#blocks.get(block);
    if (cached !== undefined) return cached;
    const entries = Object.entries(block);
    this.#blocks.set(block, entries);
    return entries;
  }
}

type Header = readonly [name: string, value: string];

const NONE: Readonly<Record<string, string>> = Object.freeze({});

/**
 * Adds the request id to a response that was built for this request. A cached response serves many
 * requests: its headers are prepared once.
 */
export const REQUEST_ID = "X-Request-Id";

/** The header block of a request whose response is being written: nothing is added to it afterwards. */
export const WRITTEN: HeaderBlock = Object.freeze({});

/** A value as JSON response. */
export function jsonAnswer(body: unknown, options: Omit<Answer, "type" | "body"> = {}): Answer {
  return { type: "application/json; charset=utf-8", body: JSON.stringify(body), ...options };
}

const isAnswer = expectFields({
  type: expectContentType,
  body: ["string", "bytes"],
  status: expectOptional(expectStatus),
  headers: expectHeaders,
});

/** An `Answer`, or null for none. */
export const expectAnswer: ValueCheck = (value) => (value === null ? null : isAnswer(value));

/** A value that JSON has, at its top level; what is inside is found when it is written. */
export const expectJson: ValueCheck = expectKind("object", "string", "number", "boolean", "null");
