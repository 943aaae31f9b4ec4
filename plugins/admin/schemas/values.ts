import { z } from "zod";
import { isRecord } from "#lib/values";

/** Any text. */
export const text = z.string();
/** A moment. */
export const time = z.number().describe("Unix ms");
/** A whole number of things. */
export const count = z.int().min(0);
/** A JSON object whose keys the API does not know. */
export const anyMap = z.record(z.string(), z.unknown());
/** Maximum length of a password. */
export const MAX_PASSWORD = 1_024;

/** A source path in a body or query. */
export const sourcePath = z.string().min(1).max(1024).describe("Below the content folder");
/** An account in lists of things that accounts made. */
export const person = z.object({ id: text, name: text });

/** Part of a list, with the length of the whole. */
export function listOf<T extends z.ZodType>(items: T) {
  return z.object({ items: z.array(items), total: count });
}

/** The body of an error response. */
export const error = z.object({ error: text, details: z.array(z.unknown()).optional() });
/** The body of a 422. */
export const invalid = error.extend({
  validationErrors: z.array(z.object({ field: text, message: text })),
});
/** The body of a 404 and of a 409 for a page that has moved. */
export const pageMoved = error.extend({ movedTo: sourcePath.describe("Where the page is now") });
/** Error responses of routes about one thing. */
export const missing = { 404: error };
/** Possible error responses of every route that changes something. */
export const changed = { 404: error, 409: error, 413: error, 422: invalid };

/** A link to a page, record or file, or a field that names it. */
export const reference = z.looseObject({ from: text, text, line: count });

/** `limit` and `offset` of a list: 50 by default, at max `max`. */
export function sliceQuery(max: number) {
  const limit = z.coerce.number().int().min(1).default(50);
  return {
    limit: limit.transform((number) => Math.min(number, max)),
    offset: z.coerce.number().int().min(0).max(1_000_000).default(0),
  };
}

/** A JSON object without loss: a record schema would drop `__proto__` instead of rejecting it. */
export const plainMap = z
  .custom<Record<string, unknown>>(isRecord, { error: "expected a map of keys and values" })
  .meta({ type: "object" });

/** Query of a route that can be tried out. */
export const dryRunQuery = z
  .object({
    dry_run: z
      .enum(["true", "false"])
      .default("false")
      .describe("true: checks everything, writes nothing, and responds with the texts"),
  })
  .transform(({ dry_run }) => ({ dryRun: dry_run === "true" }));

/** Response of a dry run. */
export const dryRunAnswer = z
  .object({
    dryRun: z.literal(true),
    changes: z.array(z.object({ path: text, before: text.nullable(), after: text.nullable() })),
  })
  .meta({ id: "DryRun", description: "What a request would change; null: no file, or no text" });

/** A field of a page type or record type, as forms read it. */
export const formField = z.object({
  name: text,
  type: text.describe("Name of its kind: `text`, `date`, …"),
  control: text.describe("The form control of its kind"),
  label: text,
  help: text.describe("A sentence below the control; empty without one"),
  required: z.boolean(),
  default: z.unknown().optional(),
  options: z.array(z.object({ value: text, label: text })),
  min: z.number().nullable(),
  max: z.number().nullable(),
  pattern: text.nullable(),
  when: z
    .record(z.string(), z.array(z.unknown()))
    .nullable()
    .describe("Fields beside it and the values one of which each must have"),
  group: text,
  tab: text,
  more: anyMap.describe("What its kind reads: `of`, `from`, `blocks`"),
  get fields() {
    return z.array(formField).describe("Fields of each value of an `object` or `structure`");
  },
});

/** The status of a page in the workflow. */
export const status = z.enum(["draft", "in_review", "published", "archived"]);

/** The permissions of the account that do not apply to an item. */
export const lacks = z
  .array(text)
  .optional()
  .describe("Permissions of the account that do not apply here; absent: all of them apply");
