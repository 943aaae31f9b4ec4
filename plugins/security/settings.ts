import { z } from "zod";
import { canParseUrl } from "#lib/urls";

/** Scheme, host and port only, as browsers send in `Origin`. */
const origin = z
  .string()
  .refine(
    (value) => /^https?:\/\//.test(value) && canParseUrl(value) && new URL(value).origin === value,
    {
      error: "an origin",
      params: { fix: "use scheme, host and port only: https://app.example.org" },
    },
  );

/** Sources of a directive; `;` and line breaks would start another directive or header. */
const source = z
  .string()
  .regex(/^[^\s;,\p{Cc}]+$/u, { error: "one source, without `;` or spaces" });
const directive = z.string().regex(/^[a-z]+(-[a-z]+)*$/, { error: "the name of a CSP directive" });

const server = z
  .strictObject({
    rate_limit: z
      .union([z.literal(false), z.int().min(1).max(1_000_000)])
      .describe(
        "Requests per minute and address for pages, collections, taxonomy, search and flex; false disables the limit",
      )
      .default(120),
    csp: z
      .record(directive, z.array(source))
      .describe("Additional sources of the Content-Security-Policy, by directive")
      .meta({ privileged: true })
      .default({}),
  })
  .prefault({});

const rateLimit = z
  .strictObject({
    store: z
      .enum(["memory", "redis"])
      .describe(
        "Where requests and logins are counted: in each process, or for all nodes in the Redis of `SITE_REDIS_URL`",
      )
      .default("memory"),
  })
  .describe("Where rate limits are counted")
  .prefault({});

export const settings = {
  site: z.object({
    cors_origins: z
      .array(origin)
      .describe("Origins that may read the API from a browser, besides that of `url`")
      .meta({ privileged: true })
      .default([]),
  }),
  system: z.object({ server, rateLimit }),
};
