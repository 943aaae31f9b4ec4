import type { ZodType } from "zod";
import { HttpError } from "#lib/errors";
import { schemaMistakes } from "./schema-mistakes.js";

/**
 * Parses input with a schema.
 * @throws HttpError 400 (or `status`) with the first invalid parameter in its message and all of them
 * in `details`.
 */
export function parseWith<T>(
  schema: ZodType<T>,
  value: unknown,
  options: { status?: number } = {},
): T {
  const result = schema.safeParse(value);
  if (result.success) return result.data;
  const details = schemaMistakes(schema, value, result.error).map(
    ({ path, message, unknown, fix }) => ({
      parameter: path.join("."),
      message: unknown === undefined ? message : `${message}; ${fix}`,
    }),
  );
  const first = details[0];
  const subject = first?.parameter ? `${first.parameter}: ` : "";
  throw new HttpError(options.status ?? 400, `${subject}${first?.message ?? "invalid input"}`, {
    code: "ERR_HTTP_PARAMETER",
    details,
  });
}
