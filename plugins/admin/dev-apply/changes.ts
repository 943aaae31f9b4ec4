import { z } from "zod";
import { isRecord, SiteError } from "#kernel";
import { readData } from "#lib/schema";
import { errorCode } from "#lib/errors";
import { plainMap } from "../schemas/values.js";

/** Maximum number of changes in a batch. */
export const MAX_CHANGES = 500;
/** Maximum size of a batch in bytes. */
export const BATCH_BYTES = 5 * 1_048_576;

const path = z.string().max(1024);
const change = z.discriminatedUnion("op", [
  z.object({ op: z.literal("write"), path, content: z.string() }),
  z.object({ op: z.literal("delete"), path }),
  z.object({
    op: z.literal("frontmatter"),
    path,
    patch: plainMap,
  }),
  z.object({ op: z.literal("config"), key: z.string().max(10_000), value: z.unknown() }),
  z.object({ op: z.literal("plugin.install"), spec: z.string().max(500) }),
]);

/** Body of `POST {admin.path}/api/dev/apply`. */
export const batchBody = z.object({
  dry_run: z.boolean().default(false),
  changes: z.array(z.unknown()).max(MAX_CHANGES),
});

/** A change of a batch. */
export type Change = z.infer<typeof change>;
/** A valid change, or an error with the fields that name the change in the result. */
export type ParsedChange = { change: Change } | { name: Record<string, string>; error: string };

/** The result of a change. */
export interface ChangeResult {
  op: string;
  path?: string;
  key?: string;
  spec?: string;
  status:
    | "would_create"
    | "would_update"
    | "would_delete"
    | "created"
    | "updated"
    | "deleted"
    | "skipped"
    | "error";
  errors: string[];
}
/** Mode of a batch. */
export interface BatchMode {
  /** True: changes stay in memory. */
  readonly isDry: boolean;
}
/** The outcome of one operation. */
export type Verdict =
  { status: "created" | "updated" | "deleted" | "skipped" } | { status: "error"; errors: string[] };

/**
 * Parses one entry of `changes`; an invalid entry is an error of its own and does not block others.
 */
export function parseChange(value: unknown): ParsedChange {
  const { data, mistakes } = readData(change, value);
  if (mistakes === null) return { change: data };
  const [{ path, message }] = mistakes;
  const error = `${path.length === 0 ? "change" : path.join(".")}: ${message}`;
  return { name: nameOfRaw(value), error };
}

/** The fields that name a change in the result. */
export function describeChange(one: Change): Pick<ChangeResult, "op" | "path" | "key" | "spec"> {
  switch (one.op) {
    case "config":
      return { op: one.op, key: one.key };
    case "plugin.install":
      return { op: one.op, spec: one.spec };
    default:
      return { op: one.op, path: one.path };
  }
}

function nameOfRaw(value: unknown): Record<string, string> {
  const fields = isRecord(value) ? value : {};
  const names = ["op", "path", "key", "spec"].flatMap((name) => {
    const field = fields[name];
    return typeof field === "string" ? [[name, field.slice(0, 200)]] : [];
  });
  return { op: "", ...Object.fromEntries(names) };
}

/**
 * Turns an error into the verdict on one change; rethrows errors not meant for clients, which ends
 * the batch.
 */
export function failed(error: unknown): Verdict {
  if (!(error instanceof SiteError)) {
    const code = errorCode(error);
    if (code === "") throw error;
    return { status: "error", errors: [`the file could not be written (${code})`] };
  }
  const details = (error.details ?? []).flatMap(problemText);
  return { status: "error", errors: details.length > 0 ? details : [error.message] };
}

function problemText(problem: unknown): string[] {
  if (typeof problem !== "object" || problem === null) return [];
  if (!("key" in problem && "expected" in problem)) return [];
  return [`${String(problem.key)}: expected ${String(problem.expected)}`];
}
