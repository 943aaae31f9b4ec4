import { z } from "zod";

const whole = z.number().int().min(0);

/** A collection as written in front matter and `theme.yaml`. */
export const CollectionQuerySchema = z.object({
  items: z.union([z.string(), z.record(z.string(), z.unknown())]),
  filter: z.record(z.string(), z.unknown()).optional().catch(undefined),
  order: z
    .object({ by: z.string().optional(), dir: z.enum(["asc", "desc"]).optional() })
    .optional()
    .catch(undefined),
  limit: whole.optional().catch(undefined),
  offset: whole.optional().catch(undefined),
  pagination: z
    .union([
      z.object({ size: z.number().int().min(1) }),
      z.boolean().transform((on) => (on ? { size: 10 } : null)),
    ])
    .nullish()
    .catch(undefined),
  fallback: z.boolean().optional().catch(undefined),
});
