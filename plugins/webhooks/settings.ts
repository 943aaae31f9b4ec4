import { httpUrl } from "#kernel";
import { z } from "zod";

const event = z.enum([
  "onPageCreate",
  "onPageUpdate",
  "onPageDelete",
  "onWorkflowChange",
  "onFormSubmit",
]);

const endpoint = z.strictObject({
  url: httpUrl().describe("Where events are sent").meta({ outbound: true }),
  events: z.array(event).min(1).describe("Events that are sent"),
  secret: z
    .string()
    .min(1)
    .meta({ secret: true })
    .describe("Secret of the signature; without it requests are not signed")
    .optional(),
  enabled: z.boolean().describe("Whether anything is sent").default(true),
  label: z
    .string()
    .regex(/^[^\p{Cc}]*$/u, { error: "one line" })
    .describe("Name shown in the list of deliveries")
    .optional(),
});

const incoming = z.strictObject({
  token: z
    .string()
    .meta({ secret: true, expand: "late" })
    .describe("What a caller must send, at least 16 characters; `$NAME` is read at each call"),
  actions: z
    .array(z.enum(["rebuild", "purge-cache"]))
    .min(1)
    .describe("What a caller may ask for"),
});

export const settings = {
  admin: z.object({
    webhooks: z
      .array(endpoint)
      .describe("Endpoints that are notified when pages change")
      .default([]),
    incoming_webhooks: z
      .array(incoming)
      .describe("Tokens for requesting a rebuild or clearing the cache")
      .default([]),
    webhook_log_days: z
      .int()
      .min(7)
      .max(3650)
      .describe("Days after which records of deliveries are removed")
      .default(30),
  }),
};
