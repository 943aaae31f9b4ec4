import { httpUrl } from "#kernel";
import { z } from "zod";

/** The required settings of each provider. */
const NEEDED = {
  cloudflare: ["zone_id", "api_token"],
  fastly: ["service_id", "api_key"],
  bunny: ["pull_zone_id", "api_key"],
  custom: ["url", "token"],
} as const;

const credential = z.string().regex(/^[\x21-\x7e]+$/, { error: "text without spaces" });

const cdn = z
  .strictObject({
    provider: z
      .enum(["cloudflare", "fastly", "bunny", "custom"])
      .describe("Whose copies are purged"),
    enabled: z.boolean().describe("Whether changed pages are purged").default(true),
    batch_size: z.int().min(1).max(1000).describe("Addresses in one request").default(30),
    batch_delay_ms: z
      .int()
      .min(0)
      .max(60_000)
      .describe("Milliseconds before a batch that is not full is sent")
      .default(100),
    purge_on_start: z
      .boolean()
      .describe(
        "Whether a start of the server empties the network: a deploy may have changed anything",
      )
      .default(true),
    zone_id: credential.describe("Zone, for cloudflare").optional(),
    api_token: credential.meta({ secret: true }).describe("Token, for cloudflare").optional(),
    service_id: credential.describe("Service, for fastly").optional(),
    pull_zone_id: credential.describe("Pull zone, for bunny").optional(),
    api_key: credential.meta({ secret: true }).describe("Key, for fastly and bunny").optional(),
    url: httpUrl()
      .describe(
        "Where addresses are posted, for custom; for the others another address of their API",
      )
      .meta({ privileged: true, outbound: true })
      .optional(),
    token: credential.meta({ secret: true }).describe("Bearer token, for custom").optional(),
  })
  .superRefine((value, context) => {
    if (!value.enabled) return;
    for (const key of NEEDED[value.provider].filter((name) => value[name] === undefined)) {
      const params = { fix: `add cdn.${key}` };
      context.addIssue({
        code: "custom",
        path: [key],
        message: `what ${value.provider} needs`,
        params,
      });
    }
  });

export const settings = {
  system: z.object({
    cdn: cdn
      .describe("Purging of a content delivery network; without it nothing is purged")
      .optional(),
  }),
};
