import type { ZodType } from "zod";
import { issueMessage } from "./describe-issue.js";
import { HttpError } from "../errors.js";

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
  const details = result.error.issues.map((issue) => ({
    parameter: issue.path.map(String).join("."),
    message: issueMessage(issue),
  }));
  const first = details[0];
  const subject = first?.parameter ? `${first.parameter}: ` : "";
  throw new HttpError(options.status ?? 400, `${subject}${first?.message ?? "invalid input"}`, {
    code: "ERR_HTTP_PARAMETER",
    details,
  });
}
