import type { AuditEntry } from "../../../../admin/contract.js";
import type { List } from "../content/pages.js";
import { json, queryText } from "../request.js";
import type { SearchSummary } from "../../../../search/contract.js";

export type { AuditEntry } from "../../../../admin/contract.js";
export type { SearchSummary } from "../../../../search/contract.js";

/** A job of the background work. */
export interface JobRow {
  readonly id: string;
  readonly queue: string;
  readonly state: "waiting" | "running" | "dead";
  readonly attempts: number;
  /** Unix ms. */
  readonly createdAt: number;
  readonly runAt: number;
  readonly lastError: string | null;
}
/** Jobs with the counts of every queue. */
export interface JobList {
  readonly items: readonly JobRow[];
  readonly total: number;
  readonly queues: Readonly<Record<string, { waiting: number; running: number; dead: number }>>;
}
/** Filter and part of a list. */
export type ActivityQuery = Readonly<Record<string, string | number>>;

/** Jobs, oldest first, filtered by `queue` and `state`. */
export function listJobs(query: ActivityQuery): Promise<JobList> {
  return json(`/jobs${queryText(query)}`);
}

/** Runs a failed job again. */
export function retryJob(id: string): Promise<unknown> {
  return json(`/jobs/${encodeURIComponent(id)}/retry`, { method: "POST", body: {} });
}

/** The audit log, newest first, filtered by `event`, `actor` (an id) and `outcome`. */
export function listAudit(
  query: ActivityQuery,
): Promise<{ entries: readonly AuditEntry[]; total: number }> {
  return json(`/audit${queryText(query)}`);
}

/** Summarizes the searches of readers. */
export function searchSummary(): Promise<SearchSummary> {
  return json("/search/analytics");
}

/** A problem of the content, as `content:check` reports it. */
interface ContentProblem {
  /** The path below `content/`, or below the site for other files. */
  readonly sourcePath: string;
  readonly message: string;
  readonly severity: "error" | "warning";
  readonly line?: number;
}
/** A plugin as it runs. */
export interface PluginState {
  readonly name: string;
  readonly state: "active" | "failed" | "disabled";
  /** The reason why it did not start. */
  readonly error?: string;
  /** Hooks that are disabled because they fail. */
  readonly failingHooks?: readonly string[];
  /** The report of `health` about it. */
  readonly problem?: string;
}

/** All problems of the content; empty without the plugin `check`. */
export function listProblems(): Promise<List<ContentProblem>> {
  return json("/problems");
}

/** All plugins. */
export async function listPluginStates(): Promise<readonly PluginState[]> {
  return (await json<{ plugins: readonly PluginState[] }>("/introspect")).plugins;
}
