import { z } from "zod";

const llms = z
  .strictObject({
    enabled: z
      .boolean()
      .describe(
        "Serves pages as Markdown at their address with `.md`, `/llms.txt` and `/llms-full.txt`",
      )
      .default(true),
    negotiate: z
      .boolean()
      .describe(
        "Serves Markdown at the address of a page too, to requests with `Accept: text/markdown`",
      )
      .default(true),
  })
  .describe("Pages as Markdown, for programs")
  .prefault({});

export const settings = { site: z.object({ llms }) };
