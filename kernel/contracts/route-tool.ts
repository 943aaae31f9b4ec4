/** A route as a tool of agents and programs. */
import type { ZodType } from "zod";

/**
 * Offers a route to agents as a tool, with the parameters and the body that the route declares. A route
 * that writes must take `dry_run=true` in its query: it then checks everything, writes nothing, and
 * responds with `{ dryRun: true, changes: [{ path, before, after }] }`, the texts before and after.
 */
export interface RouteTool {
  /** Unique; lower case with underscores: `read_page`. */
  name: string;
  /** Says what it is for, and when to use it. Default: the summary of the route. */
  description?: string;
  /** `propose`: what it writes waits for a person's approval, so that no second call is needed. */
  effect?: "propose";
  /** The query parameters to offer; default: all that the schema names. */
  query?: readonly string[];
  /** The part of the body to offer; default: the schema of the body. */
  body?: ZodType;
  /** Keys of the body that are always sent, and not offered. */
  fixed?: Readonly<Record<string, unknown>>;
  /** Keys of the response to leave out. */
  omit?: readonly string[];
}
