/** Writes of agents in the admin API: people list, approve and reject them. */
import type { Request } from "express";
import { z } from "zod";
import { HttpError, isRecord, type SiteContext } from "#kernel";
import type { AdminIdentity } from "../admin/contract.js";
import { Approvals, type ApprovalParts } from "./approvals.js";
import type { Caller } from "./caller.js";
import type { WaitingWrite } from "./shown-writes.js";

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

/** Declares the routes below `/agent-writes`. */
export function approvalRoutes(site: SiteContext, parts: ApprovalParts): void {
  const approvals = new Approvals(site, parts);
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
      const items = await approvals.list(personOf(req, identity));
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
      const { write, answer } = await approvals.approve(id, personOf(req, identity));
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
      const write = await approvals.reject(id, personOf(req, identity));
      audit(req, identity, { event: "mcp.reject", write, status: 200 });
      await site.http.json(req, res, { id });
    },
  });

  function audit(
    req: Request,
    actor: AdminIdentity,
    { event, write, status }: { event: string; write: WaitingWrite; status: number },
  ): void {
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
function personOf(req: Request, identity: AdminIdentity): Caller {
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
