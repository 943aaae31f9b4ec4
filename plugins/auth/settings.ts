import { httpUrl } from "#kernel";
import { z } from "zod";
import { providers } from "./providers/provider-settings.js";

const headerName = z.string().regex(/^[A-Za-z0-9-]+$/, { error: "the name of a header" });
const claim = z.string().min(1);

const jwt = z.strictObject({
  secret: z
    .string()
    .min(1)
    .meta({ secret: true })
    .describe("Shared secret of HS256 tokens")
    .optional(),
  jwksUrl: httpUrl()
    .describe("URL of the keys of RS256 tokens")
    .meta({ outbound: true })
    .optional(),
  issuer: z.string().min(1).describe("Required `iss` of a token; unchecked without it").optional(),
  audience: z
    .union([z.string().min(1), z.array(z.string().min(1)).min(1)])
    .describe("Required `aud` of a token, or a list of allowed ones; unchecked without it")
    .optional(),
  requireExp: z.boolean().describe("Rejects tokens without `exp`").default(false),
  userIdClaim: claim
    .describe("Claim that holds the user's id; dots lead into objects")
    .default("sub"),
  emailClaim: claim.describe("Claim that holds the e-mail address").default("email"),
  rolesClaim: claim.describe("Claim that holds a role or a list of them").default("roles"),
});

const webhook = z
  .strictObject({
    provider: z
      .enum(["clerk", "auth0", "generic"])
      .describe("Kind of identity provider that reports deleted users"),
    secret: z.string().min(1).meta({ secret: true }).describe("Secret of the signature"),
    signatureHeader: headerName
      .describe("Header of the signature; x-site-signature for `generic`")
      .optional(),
  })
  .overwrite((value) =>
    value.provider === "generic"
      ? { ...value, signatureHeader: value.signatureHeader ?? "x-site-signature" }
      : value,
  );

const auth = z
  .strictObject({
    mode: z
      .enum(["dune", "external-jwt"])
      .describe(
        "`dune`: this site logs visitors in; `external-jwt`: visitors bring tokens of an identity provider",
      )
      .meta({ privileged: true })
      .default("dune"),
    sessionLifetime: z
      .int()
      .min(1)
      .max(31_536_000)
      .describe("Lifetime of a login in seconds")
      .default(2_592_000),
    providers: providers
      .describe("Login methods; only those listed are offered")
      .meta({ privileged: true })
      .prefault({}),
    userStore: z
      .enum(["local", "session", "db"])
      .describe("Where visitors are stored: files, only their session, or a database")
      .meta({ privileged: true })
      .default("local"),
    authzStore: z
      .enum(["local", "db"])
      .describe(
        "Where roles are stored: files or a database. Default: `local` in mode `dune`; otherwise none, and only the token's roles apply",
      )
      .meta({ privileged: true })
      .optional(),
    jwt: jwt
      .describe("Tokens of the identity provider, for mode `external-jwt`")
      .meta({ privileged: true })
      .optional(),
    webhook: webhook
      .describe("Reports of deleted users from the identity provider")
      .meta({ privileged: true })
      .optional(),
    loginPath: z
      .string()
      .regex(/^\/(?![/\\])[^\s\\?#\p{Cc}]*$/u, { error: "a path on this site" })
      .describe("Login page to redirect visitors to; default: the built-in page")
      .optional(),
  })
  .superRefine((value, context) => {
    if (value.mode !== "external-jwt") return;
    const keys = [value.jwt?.secret, value.jwt?.jwksUrl].filter((key) => key !== undefined).length;
    if (keys === 1) return;
    context.addIssue({
      code: "custom",
      path: ["jwt"],
      message: "either jwt.secret (HS256) or jwt.jwksUrl (RS256)",
      params: { fix: keys === 0 ? "add one of them" : "remove one of them" },
    });
  })
  .overwrite((value) =>
    value.mode === "dune" ? { ...value, authzStore: value.authzStore ?? "local" } : value,
  );

export const settings = {
  site: z.object({
    auth: auth.describe("Visitor accounts; disabled without it").optional(),
  }),
};
