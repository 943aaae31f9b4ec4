import { z } from "zod";
import { httpUrl } from "#kernel";

const host = z
  .string()
  .regex(/^[a-z0-9.-]+(?::\d{1,5})?$/i, { error: "a host, such as video.example" });

const customProvider = z
  .strictObject({
    name: z.string().regex(/^[a-z][a-z0-9-]*$/, { error: "a name of lower-case letters" }),
    hosts: z
      .array(host)
      .min(1)
      .describe("Hosts of the addresses to embed, and of the frames")
      .meta({ privileged: true }),
    endpoint: httpUrl()
      .describe("Address of the oEmbed API; not for mastodon")
      .meta({ privileged: true, outbound: true })
      .optional(),
    private: z
      .boolean()
      .describe("The endpoint may have a private address")
      .meta({ privileged: true })
      .default(false),
  })
  .refine(({ name, endpoint }) => name === "mastodon" || endpoint !== undefined, {
    error: "an endpoint",
    path: ["endpoint"],
  });

const embeds = z
  .array(z.union([z.enum(["youtube", "vimeo", "mastodon", "codepen"]), customProvider]))
  .describe("Providers whose addresses may be embedded: names, or maps for others")
  .default([]);

/** Config keys of this plugin. */
export const settings = {
  system: z.object({
    content: z.object({ markdown: z.strictObject({ embeds }).prefault({}) }).prefault({}),
  }),
};

/** An entry of `content.markdown.embeds`. */
export type EmbedSetting = z.infer<typeof embeds>[number];

declare module "../markdown/contract.js" {
  interface MarkdownSection {
    embeds: EmbedSetting[];
  }
}
