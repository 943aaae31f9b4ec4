import { z } from "zod";

/** True for a JSON object. */
export function isPlainMap(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** A JSON object without loss: a record schema would drop `__proto__` instead of rejecting it. */
export const plainMap = z
  .custom<Record<string, unknown>>(isPlainMap, { error: "expected a map of keys and values" })
  .meta({ type: "object" });
