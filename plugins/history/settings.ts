import { z } from "zod";

export const settings = {
  admin: z.object({
    maxRevisions: z
      .int()
      .min(0)
      .max(100_000)
      .describe("Maximum number of former versions of each page")
      .default(50),
    git_commit: z
      .boolean()
      .describe("Commits to git after every saved or published page")
      .default(false),
  }),
};
