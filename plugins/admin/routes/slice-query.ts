import { z } from "zod";

/** `limit` and `offset` of a list: 50 by default, at max `max`. */
export function sliceQuery(max: number) {
  const limit = z.coerce.number().int().min(1).default(50);
  return {
    limit: limit.transform((wanted) => Math.min(wanted, max)),
    offset: z.coerce.number().int().min(0).max(1_000_000).default(0),
  };
}
