/** Writes of agents that people approve or reject; they are made with the rights of the person. */
import { HttpError, type SiteContext } from "#kernel";
import { changesOf } from "./call-tool.js";
import type { Caller } from "./caller.js";
import { contentDigest, type ShownWrites, type WaitingWrite } from "./shown-writes.js";
import { callRoute, type RouteAnswer } from "./tool-request.js";
import type { Tool, Tools } from "./tools.js";
import { unifiedDiff } from "./unified-diff.js";

/** Dry runs for one list. */
const MAX_LISTED = 50;

/** Dependencies of approvals. */
export interface ApprovalParts {
  readonly tools: Tools;
  readonly shown: ShownWrites;
}
/** A waiting write, as a person sees it. */
export interface ListedWrite {
  readonly id: string;
  readonly tool: string;
  /** Name of the token. */
  readonly agent: string;
  /** Unix ms. */
  readonly at: number;
  /** What the write would change now. */
  readonly diff: string;
  /** True: the content has changed since the agent proposed it, so that it cannot be approved. */
  readonly isStale: boolean;
}

interface Tried extends ListedWrite {
  readonly write: WaitingWrite;
  readonly found: Tool;
  readonly etag: string | null;
}

/** The writes that wait for a person. */
export class Approvals {
  readonly #site: SiteContext;
  readonly #parts: ApprovalParts;

  constructor(site: SiteContext, parts: ApprovalParts) {
    this.#site = site;
    this.#parts = parts;
  }

  /** Those that the person could make without an agent, the newest first. */
  async list(person: Caller): Promise<ListedWrite[]> {
    const listed: ListedWrite[] = [];
    for (const write of (await this.#parts.shown.waiting()).slice(0, MAX_LISTED)) {
      const tried = await this.#tried(write, person);
      if (tried === null) continue;
      const { id, tool, agent, at, diff, isStale } = tried;
      listed.push({ id, tool, agent, at, diff, isStale });
    }
    return listed;
  }

  /**
   * Makes a write, and returns it with the response of its route.
   * @throws HttpError 404 for one that the person does not see, 409 when the content has changed.
   */
  async approve(id: string, person: Caller): Promise<{ write: WaitingWrite; answer: RouteAnswer }> {
    const { write, found, etag, isStale } = await this.#find(id, person);
    if (isStale) {
      const message =
        "the content has changed since the agent proposed this; let the agent propose it again";
      throw new HttpError(409, message, { code: "ERR_MCP_STALE" });
    }
    if (!(await this.#parts.shown.remove(id))) throw unknown();
    const call = { tool: found, args: write.args, caller: person };
    return { write, answer: await callRoute(this.#site.http, call, { ifMatch: etag }) };
  }

  /** @throws HttpError 404 for one that the person does not see. */
  async reject(id: string, person: Caller): Promise<WaitingWrite> {
    const { write } = await this.#find(id, person);
    if (!(await this.#parts.shown.remove(id))) throw unknown();
    return write;
  }

  async #find(id: string, person: Caller): Promise<Tried> {
    const write = await this.#parts.shown.find(id);
    const tried = write === null ? null : await this.#tried(write, person);
    if (tried === null) throw unknown();
    return tried;
  }

  /** Null when the person may not make it: then they do not see it either. */
  async #tried(write: WaitingWrite, caller: Caller): Promise<Tried | null> {
    const found = this.#parts.tools.find(write.tool, caller.identity);
    if (found === undefined) return null;
    const call = { tool: found, args: write.args, caller };
    const answer = await callRoute(this.#site.http, call, { dryRun: true });
    const changes = changesOf(answer);
    if (changes === null) return null;
    const { id, tool, at } = write;
    const isStale = contentDigest(changes) !== write.content;
    const diff = unifiedDiff(changes);
    return {
      id,
      tool,
      agent: write.agent.name,
      at,
      diff,
      isStale,
      write,
      found,
      etag: answer.etag,
    };
  }
}

function unknown(): HttpError {
  return new HttpError(404, "no such write waits for approval", { code: "ERR_MCP_UNKNOWN" });
}
