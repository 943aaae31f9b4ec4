import * as z from "zod";
import type { Env } from "../contracts.js";
import { expandValues } from "./expand.js";

/**
 * What a plugin's factory is given: its `config:` block with variables expanded and, where the
 * schema beside the factory takes it, with defaults. A block that the schema refuses is given as it
 * stands; the check of the whole configuration reports it.
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

/** Also true for the schema of another copy of the library. */
function isSchema(value: unknown): value is z.ZodType {
  return typeof value === "object" && value !== null && "_zod" in value;
}
