import { z } from "zod";

const address = z.string().regex(/^[^\s@]+@[^\s@]+$/, { error: "an e-mail address" });

const comments = z.strictObject({
  from: z
    .enum(["anyone", "visitors"])
    .describe("Commenters: everybody, or visitors who are logged in")
    .default("anyone"),
  moderated: z
    .boolean()
    .describe("Shows comments only after a moderator has approved them")
    .default(true),
  notify: z
    .array(address)
    .max(20)
    .describe("Addresses of moderators, who get a mail for each comment")
    .default([]),
  max_per_page: z
    .int()
    .min(1)
    .max(5_000)
    .describe("Comments of one page that are shown or waiting; after that it takes no more")
    .default(1_000),
});

export const settings = {
  site: z.object({
    comments: comments
      .describe("Comments of visitors below pages with `comments: true`; disabled without it")
      .optional(),
  }),
};
