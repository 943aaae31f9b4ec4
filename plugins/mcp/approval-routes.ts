/** Writes of agents in the admin API: people list, approve and reject them. */
import type { Request } from "express";
import { z } from "zod";
import { HttpError, isRecord, type SiteContext } from "#kernel";
import type { AdminIdentity } from "../admin/contract.js";
import { callRoute, type Caller, type RouteAnswer, type Tool, type Tools } from "./tools.js";
import { contentDigest, type ShownWrites, type WaitingWrite } from "./shown-writes.js";
import { readChanges, unifiedDiff } from "./call-tool.js";

const LIMIT = 1_024;
const problem = z.object({ error: z.string() });
const listed = z
  .object({
    id: z.string(),
    tool: z.string(),
    at: z.number().describe("Unix ms"),
    agent: z.string().describe("Name of the token"),
    diff: z.string().describe("What the write would change now"),
    isStale: z.boolean().describe("The content has changed since: it cannot be approved"),
  })
  .meta({ id: "AgentWrite", description: "A write of an agent that waits for a person" });
const done = z.object({ id: z.string() });

/** A decision about a write, for the audit log. */
interface Decision {
  readonly event: "mcp.approve" | "mcp.reject";
  readonly write: WaitingWrite;
  /** Status of the route that made the write; 200 for a rejected one. */
  readonly status: number;
}

/** Declares the routes below `/agent-writes`. */
export function approvalRoutes(site: SiteContext, tools: Tools, shown: ShownWrites): void {
  const approvals = new Approvals(site, tools, shown);
  const admin = site.use("admin");
  const body = { as: "json", limit: LIMIT, schema: z.strictObject({}) } as const;
  const more = { permission: "any", paths: "own" } as const;
  admin.route({
    method: "get",
    path: "/agent-writes",
    ...more,
    summary: "Writes of agents that wait for a person, of the last day",
    responses: { 200: z.object({ items: z.array(listed), total: z.int() }) },
    handler: async (req, res, { identity }) => {
      const items = await approvals.list(toCaller(req, identity));
      await site.http.json(req, res, { items, total: items.length });
    },
  });
  admin.route({
    method: "post",
    path: "/agent-writes/:id/approve",
    ...more,
    body,
    summary: "Make a write of an agent, with the rights of the signed-in person",
    responses: { 200: done, 403: problem, 404: problem, 409: problem, 422: problem },
    handler: async (req, res, { identity, params }) => {
      const id = params["id"] ?? "";
      const { write, answer } = await approvals.approve(id, toCaller(req, identity));
      audit(req, identity, { event: "mcp.approve", write, status: answer.status });
      if (answer.status >= 300) throw failed(answer.status, answer.body);
      await site.http.json(req, res, { id });
    },
  });
  admin.route({
    method: "post",
    path: "/agent-writes/:id/reject",
    ...more,
    body,
    summary: "Reject a write of an agent",
    responses: { 200: done, 403: problem, 404: problem },
    handler: async (req, res, { identity, params }) => {
      const id = params["id"] ?? "";
      const write = await approvals.reject(id, toCaller(req, identity));
      audit(req, identity, { event: "mcp.reject", write, status: 200 });
      await site.http.json(req, res, { id });
    },
  });

  function audit(req: Request, actor: AdminIdentity, { event, write, status }: Decision): void {
    const { tool, agent } = write;
    admin.audit({
      event,
      actor,
      ip: req.ctx.ip,
      target: { type: "tool", id: tool },
      detail: { status, agent: agent.name, agentId: agent.id },
      outcome: status < 300 ? "success" : "failure",
    });
  }
}

/**
 * The person who decides, with the session of the request.
 * @throws HttpError 403 for tokens: an agent must not approve what it wrote itself.
 */
function toCaller(req: Request, identity: AdminIdentity): Caller {
  if (identity.kind !== "session") {
    const message = "people decide about writes of agents, in the panel; a token cannot";
    throw new HttpError(403, message, { code: "ERR_MCP_PERSON" });
  }
  const session = {
    cookie: req.headers.cookie ?? "",
    "x-csrf-token": identity.csrfToken ?? "",
    // The guard has checked where the request itself comes from.
    "sec-fetch-site": "same-origin",
  };
  return { identity, authorization: null, session, ip: req.ctx.ip };
}

function failed(status: number, body: unknown): HttpError {
  const error = isRecord(body) ? body["error"] : null;
  return new HttpError(status, typeof error === "string" ? error : "the write failed");
}

/** Dry runs for one list. */
const MAX_LISTED = 50;

/** A waiting write, as a person sees it. */
interface ListedWrite {
  readonly id: string;
  readonly tool: string;
  /** Name of the token. */
  readonly agent: string;
  /** Unix ms. */
  readonly at: number;
  /** The changes that the write would make now. */
  readonly diff: string;
  /** True: the content has changed since the agent proposed it, so that it cannot be approved. */
  readonly isStale: boolean;
}

interface Tried extends ListedWrite {
  readonly write: WaitingWrite;
  readonly found: Tool;
  readonly etag: string | null;
}

/** The writes that wait for a person, who approves or rejects them with their own rights. */
class Approvals {
  readonly #site: SiteContext;
  readonly #tools: Tools;
  readonly #shown: ShownWrites;

  constructor(site: SiteContext, tools: Tools, shown: ShownWrites) {
    this.#site = site;
    this.#tools = tools;
    this.#shown = shown;
  }

  /** Lists the writes that the person could make without an agent, the newest first. */
  async list(person: Caller): Promise<ListedWrite[]> {
    const listed: ListedWrite[] = [];
    for (const write of (await this.#shown.waiting()).slice(0, MAX_LISTED)) {
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
    if (!(await this.#shown.remove(id))) throw unknown();
    const call = { tool: found, args: write.args, caller: person };
    return { write, answer: await callRoute(this.#site.http, call, { ifMatch: etag }) };
  }

  /** @throws HttpError 404 for one that the person does not see. */
  async reject(id: string, person: Caller): Promise<WaitingWrite> {
    const { write } = await this.#find(id, person);
    if (!(await this.#shown.remove(id))) throw unknown();
    return write;
  }

  async #find(id: string, person: Caller): Promise<Tried> {
    const write = await this.#shown.find(id);
    const tried = write === null ? null : await this.#tried(write, person);
    if (tried === null) throw unknown();
    return tried;
  }

  /** Null when the person may not make it: then they do not see it either. */
  async #tried(write: WaitingWrite, caller: Caller): Promise<Tried | null> {
    const offered = this.#tools.find(write.tool, caller.identity);
    if (offered === undefined) return null;
    const call = { tool: offered, args: write.args, caller };
    const answer = await callRoute(this.#site.http, call, { dryRun: true });
    const changes = readChanges(answer);
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
      found: offered,
      etag: answer.etag,
    };
  }
}

function unknown(): HttpError {
  return new HttpError(404, "no such write waits for approval", { code: "ERR_MCP_UNKNOWN" });
}
