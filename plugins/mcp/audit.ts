/** The audit log has every call of a token. */
import type { SiteContext } from "#kernel";
import type { AuditEvent } from "../admin/contract.js";
import type { Caller } from "./caller.js";
import type { Arguments } from "./tool-request.js";

/** Arguments that name what a call is about. */
const NAMED = ["path", "pagePath", "route", "type", "id", "name", "q"] as const;

/** What happened in a call. */
export interface AuditedCall {
  readonly event: "mcp.read" | "mcp.show" | "mcp.write" | "mcp.propose" | "mcp.denied";
  readonly caller: Caller;
  readonly tool: string;
  readonly args: Arguments;
  readonly status: number;
}

/** Writes a call to the audit log. Calls without a token are those of any visitor, and are left out. */
export function auditCall(site: SiteContext, call: AuditedCall): void {
  const { event, caller, tool, args, status } = call;
  if (caller.identity === null) return;
  const named = Object.fromEntries(NAMED.map((name) => [name, args[name]]));
  site.use("admin", { optional: true })?.audit({
    event,
    actor: caller.identity,
    ip: caller.ip,
    target: { type: "tool", id: tool },
    detail: { status, ...named },
    outcome: status < 300 ? "success" : "failure",
  } satisfies AuditEvent);
}
