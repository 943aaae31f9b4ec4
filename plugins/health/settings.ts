import { z } from "zod";

export const settings = {
  site: z.object({
    health_token: z
      .string()
      .meta({ secret: true })
      .describe(
        "Token that `/health?detailed=true&token=…` needs; without it, no details are available",
      )
      .optional(),
  }),
};
