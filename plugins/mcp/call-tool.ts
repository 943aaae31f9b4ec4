/** Calls tools: reads, proposes, or shows a write and makes it after a confirmation. */
import type { CallToolResult } from "@modelcontextprotocol/sdk/types.js";
import { createTwoFilesPatch } from "diff/lib/patch/create.js";
import { isRecord, type SiteContext } from "#kernel";
import type { AuditEvent } from "../admin/contract.js";
import {
  callRoute,
  type Arguments,
  type Caller,
  type RouteAnswer,
  type ToolCall,
} from "./tools.js";
import type { ShownWrite, ShownWrites } from "./shown-writes.js";

/** Characters of an answer; the rest is left out. */
const MAX_TEXT = 200_000;

/** The services that all calls use. */
export interface CallContext {
  readonly site: SiteContext;
  /** Writes that wait for their confirmation. */
  readonly shown: ShownWrites;
}

/** Calls a tool. */
export async function callTool(context: CallContext, call: ToolCall): Promise<CallToolResult> {
  const { effect } = call.tool;
  if (effect === "read") {
    const answer = await callRoute(context.site.http, call);
    audit(context, call, { event: "mcp.read", status: answer.status });
    return readAnswer(call, answer);
  }
  const { confirm, ...args } = call.args;
  const write = { ...call, args };
  const tried = await callRoute(context.site.http, write, { dryRun: true });
  const changes = readChanges(tried);
  if (changes === null) {
    audit(context, write, { event: "mcp.show", status: tried.status });
    return failure(tried.status, tried.body);
  }
  if (effect === "propose") return propose(context, write, changes);
  const dryRun = { changes, etag: tried.etag };
  return typeof confirm === "string"
    ? makeWrite(context, write, dryRun, confirm)
    : showWrite(context, write, dryRun);
}

/** A read that is denied looks like one of something that does not exist. */
function readAnswer({ tool }: ToolCall, answer: RouteAnswer): CallToolResult {
  const { status, body } = answer;
  if (status === 401 || status === 403) return failure(404, { error: "Not found" });
  if (status >= 300) return failure(status, body);
  return success(withoutKeys(body, tool.declared.omit ?? []));
}

async function propose(
  context: CallContext,
  call: ToolCall,
  changes: readonly ShownChange[],
): Promise<CallToolResult> {
  const answer = await callRoute(context.site.http, call);
  audit(context, call, { event: "mcp.propose", status: answer.status });
  if (answer.status >= 300) return failure(answer.status, answer.body);
  return success({
    proposed: true,
    diff: unifiedDiff(changes),
    next: "a person publishes it in the panel, where a review was requested",
  });
}

/** The result of a dry run. */
interface DryRun {
  readonly changes: readonly ShownChange[];
  /** Version of the content that the changes apply to; null: the route has no versions. */
  readonly etag: string | null;
}

async function showWrite(
  context: CallContext,
  call: ToolCall,
  { changes, etag }: DryRun,
): Promise<CallToolResult> {
  const { confirm, waits } = await context.shown.add(shownWrite(call, changes), etag);
  audit(context, call, { event: "mcp.show", status: 200 });
  const panel = waits ? ", or ask a person to approve it in the panel within a day" : "";
  return success({
    written: false,
    diff: unifiedDiff(changes),
    confirm,
    next: `nothing is written yet; call again with the same arguments and confirm, within ten minutes${panel}`,
  });
}

async function makeWrite(
  context: CallContext,
  call: ToolCall,
  { changes, etag }: DryRun,
  confirm: string,
): Promise<CallToolResult> {
  const shown = await context.shown.take(confirm, shownWrite(call, changes));
  if (shown === null) {
    audit(context, call, { event: "mcp.write", status: 409 });
    return failure(409, {
      error:
        "confirm is unknown, used or expired, or belongs to another call, a person decided, or the content has changed; call again without it",
    });
  }
  const answer = await callRoute(context.site.http, call, { ifMatch: etag });
  audit(context, call, { event: "mcp.write", status: answer.status });
  if (answer.status >= 300) return failure(answer.status, answer.body);
  return success({ written: true, diff: unifiedDiff(changes) });
}

function shownWrite({ tool, args, caller }: ToolCall, changes: readonly ShownChange[]): ShownWrite {
  const { identity, authorization } = caller;
  const agent = identity === null ? null : { id: identity.id, name: identity.name };
  return { caller: authorization ?? "", agent, tool: tool.name, args, changes };
}

/** The changes that a dry run reports; null when the route rejected it. */
export function readChanges({ status, body }: RouteAnswer): readonly ShownChange[] | null {
  if (status !== 200 || !isRecord(body) || body["dryRun"] !== true) return null;
  const { changes } = body;
  return Array.isArray(changes) ? changes.filter(isChange) : null;
}

function isChange(value: unknown): value is ShownChange {
  return isRecord(value) && typeof value["path"] === "string";
}

function audit(
  { site }: CallContext,
  { tool, args, caller }: ToolCall,
  outcome: Pick<AuditedCall, "event" | "status">,
): void {
  auditCall(site, { ...outcome, caller, tool: tool.name, args });
}

function success(body: unknown): CallToolResult {
  const text = typeof body === "string" ? body : JSON.stringify(body, null, 1);
  const isWhole = text.length <= MAX_TEXT;
  const shown = isWhole
    ? text
    : `${text.slice(0, MAX_TEXT)}\n… ${text.length - MAX_TEXT} more characters; ask for less`;
  return {
    content: [{ type: "text", text: shown }],
    ...(isWhole && isRecord(body) && { structuredContent: body }),
  };
}

function failure(status: number, body: unknown): CallToolResult {
  const { error, ...rest } = isRecord(body) ? body : {};
  const message = typeof error === "string" ? error : "the site did not answer with JSON";
  const more = Object.keys(rest).length === 0 ? "" : `\n${JSON.stringify(rest, null, 1)}`;
  const text = `${status}: ${message}${more}`.slice(0, MAX_TEXT);
  return { isError: true, content: [{ type: "text", text }] };
}

function withoutKeys(body: unknown, omit: readonly string[]): unknown {
  if (!isRecord(body) || omit.length === 0) return body;
  return Object.fromEntries(Object.entries(body).filter(([key]) => !omit.includes(key)));
}

/** Arguments that the audit log shows: they name the page, record or type of a call. */
const NAMED = ["path", "pagePath", "route", "type", "id", "name", "q"] as const;

/** A call, as the audit log records it. */
interface AuditedCall {
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

/** A file before and after a change; null: it is missing, or not text. */
interface ShownChange {
  readonly path: string;
  readonly before: string | null;
  readonly after: string | null;
}

/** Texts with more differing lines are shown as replaced. */
const MAX_EDITS = 2_000;

/** Changes as one unified diff; empty when nothing changes. */
export function unifiedDiff(changes: readonly ShownChange[]): string {
  return changes
    .filter(({ before, after }) => before !== after)
    .map((change) => formatPatch(change))
    .join("");
}

function formatPatch({ path, before, after }: ShownChange): string {
  const [from, to] = [before === null ? "/dev/null" : path, after === null ? "/dev/null" : path];
  // oxlint-disable-next-line max-params -- the signature of the package
  const patch = createTwoFilesPatch(from, to, before ?? "", after ?? "", "", "", {
    context: 3,
    maxEditLength: MAX_EDITS,
  });
  return (
    patch?.replace(/^(?:Index: .*\n)?=+\n/, "") ??
    `--- ${from}\n+++ ${to}\n${lines("-", before)}${lines("+", after)}`
  );
}

function lines(mark: string, text: string | null): string {
  return (text ?? "")
    .split("\n")
    .map((line) => `${mark}${line}\n`)
    .join("");
}
