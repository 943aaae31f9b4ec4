import { z } from "zod";
import { isRecord } from "#kernel";

/** A JSON object as it was sent: a schema of records would drop `__proto__`, which is to be refused. */
export const plainMap = z
  .custom<Record<string, unknown>>(isRecord, { error: "expected a map of keys and values" })
  .meta({ type: "object" });
