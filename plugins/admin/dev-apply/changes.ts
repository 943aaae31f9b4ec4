import { z } from "zod";
import { isRecord } from "#kernel";
import { plainMap } from "../plain-map.js";

/** Most changes of one batch. */
export const MOST_CHANGES = 500;
/** Most bytes of a batch. */
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

/** Body of `POST {admin.path}/api/dev/apply` (specification: Admin API). */
export const batchBody = z.object({
  dry_run: z.boolean().default(false),
  changes: z.array(z.unknown()).max(MOST_CHANGES),
});

/** A change of a batch. */
export type Change = z.infer<typeof change>;
/** A change, or what is wrong with it and how its result is named. */
export type ParsedChange = { change: Change } | { name: Record<string, string>; error: string };

/** What became of a change (specification: Dev batch change result). */
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
/** What one operation says. */
export type Verdict =
  { status: "created" | "updated" | "deleted" | "skipped" } | { status: "error"; errors: string[] };

/** One entry of `changes`; an entry that is none is an error of its own and blocks no other. */
export function parseChange(value: unknown): ParsedChange {
  const result = change.safeParse(value);
  if (result.success) return { change: result.data };
  const issue = result.error.issues[0];
  const where = issue?.path.join(".") ?? "";
  const error = `${where === "" ? "change" : where}: ${issue?.message ?? "invalid"}`;
  return { name: nameOfRaw(value), error };
}

/** The fields that name a change in its result. */
export function nameOf(one: Change): Pick<ChangeResult, "op" | "path" | "key" | "spec"> {
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
