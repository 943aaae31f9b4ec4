import { z } from "zod";
import { safeNext } from "#kernel";

/** `?next=` of a login, the address to go to after it: a path on this site, else `/`. The first value counts. */
export const nextParam = z
  .preprocess((value) => [value].flat(Infinity)[0], z.unknown())
  .transform(safeNext);
