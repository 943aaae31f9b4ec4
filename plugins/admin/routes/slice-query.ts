import { z } from "zod";

/** `limit` and `offset` of a list: 50 unless said, at most `most`. */
export function sliceQuery(most: number) {
  const limit = z.coerce.number().int().min(1).default(50);
  return {
    limit: limit.transform((wanted) => Math.min(wanted, most)),
    offset: z.coerce.number().int().min(0).max(1_000_000).default(0),
  };
}
