import { z } from "zod";

const whole = z.number().int().min(0);

const items = z.union([z.string(), z.record(z.string(), z.unknown())]);
const filter = z.record(z.string(), z.unknown()).optional();
const order = z
  .strictObject({ by: z.string().optional(), dir: z.enum(["asc", "desc"]).optional() })
  .optional();
const limit = whole.optional();
const offset = whole.optional();
const pagination = z
  .union([
    z.strictObject({ size: z.number().int().min(1) }),
    z.boolean().transform((on) => (on ? { size: 10 } : null)),
  ])
  .nullish();
const fallback = z.boolean().optional();

/** A collection as written in `theme.yaml`: a theme with a mistake is rejected. */
export const StrictCollectionSchema = z.strictObject({
  items,
  filter,
  order,
  limit,
  offset,
  pagination,
  fallback,
});

/** A collection as written in front matter: what is invalid counts as missing, so that the page is shown. */
export const CollectionQuerySchema = z.object({
  items,
  filter: filter.catch(undefined),
  order: order.catch(undefined),
  limit: limit.catch(undefined),
  offset: offset.catch(undefined),
  pagination: pagination.catch(undefined),
  fallback: fallback.catch(undefined),
});
