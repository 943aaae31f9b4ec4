import { z } from "zod";
import { isRecord } from "#kernel";

/** A JSON object without loss: a record schema would drop `__proto__` instead of rejecting it. */
export const plainMap = z
  .custom<Record<string, unknown>>(isRecord, { error: "expected a map of keys and values" })
  .meta({ type: "object" });
