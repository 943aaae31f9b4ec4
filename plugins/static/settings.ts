import { z } from "zod";

const section = z
  .strictObject({
    api: z
      .enum(["lists", "pages", "none"])
      .default("lists")
      .describe(
        "Answers of the API that an export holds as `api/….json`: lists, lists and every page, or none",
      ),
  })
  .prefault({})
  .describe("The static export");

/** Keys of the config files that belong to this plugin. */
export const settings = { system: z.object({ static: section }) };
