import { z } from "zod";
import { safeNext } from "#kernel";

/** The first value of a repeated parameter. */
export function firstValue(value: unknown): unknown {
  return Array.isArray(value) ? firstValue(value[0]) : value;
}

/** `?next=` of a login: a path on this site, else `/`. */
export const nextParam = z.preprocess(firstValue, z.unknown()).transform(safeNext);
