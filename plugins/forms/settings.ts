import { z } from "zod";

const forms = z.strictObject({
  least_seconds: z
    .number()
    .min(0)
    .max(3_600)
    .describe("A form that is sent sooner after its page was made is not accepted")
    .default(3),
  token_hours: z
    .number()
    .min(1)
    .max(8_760)
    .describe("Hours for which the hidden token of a page is valid")
    .default(72),
  limit: z
    .int()
    .min(1)
    .max(100_000)
    .describe("Submissions of one form per address in ten minutes")
    .default(10),
  static: z
    .enum(["notice", "post"])
    .describe(
      "In a static export: a notice in place of the form, or a form that is sent to `url`, where a server of this site answers",
    )
    .default("notice"),
});

export const settings = {
  site: z.object({
    forms: forms.describe("Forms for visitors, described by files in `forms/`").prefault({}),
  }),
};
