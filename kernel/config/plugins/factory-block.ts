import * as z from "zod";
import type { Env } from "../../contracts.js";
import { expandValues } from "../environment/expand.js";

/**
 * The argument of a plugin's factory: its `config:` block with variables expanded and, if it is valid
 * for the schema beside the factory, with defaults. An invalid block is passed as it is; the check of
 * the whole configuration reports it.
 */
export function factoryBlock(
  schema: unknown,
  block: Readonly<Record<string, unknown>>,
  env: Env,
): Record<string, unknown> {
  const known = isSchema(schema) ? schema : undefined;
  const { value } = expandValues(block, known, env);
  const parsed = known === undefined ? undefined : z.safeParse(known, value);
  const given: unknown = parsed?.success === true ? parsed.data : value;
  return typeof given === "object" && given !== null ? { ...given } : {};
}

/** Also true for a schema of another copy of zod. */
function isSchema(value: unknown): value is z.ZodType {
  return typeof value === "object" && value !== null && "_zod" in value;
}
