import { z } from "zod";
import { httpUrl, type Settings, type SettingsProblem } from "#kernel";
import { isExposedUrl } from "#lib/urls";

/** An address that the site, or a visitor's browser, is sent to. */
const address = (text: string) => httpUrl().describe(text).meta({ outbound: true });

/** Settings of every OAuth 2 provider. */
const client = {
  clientId: z.string().min(1).describe("Client id issued by the provider"),
  clientSecret: z
    .string()
    .min(1)
    .meta({ secret: true })
    .describe("Client secret issued by the provider"),
  authorizationUrl: address("Authorization URL of a self-hosted instance").optional(),
  tokenUrl: address("Token URL of a self-hosted instance").optional(),
  userInfoUrl: address("Profile URL of a self-hosted instance").optional(),
  scopes: z
    .array(z.string().regex(/^[\x21\x23-\x5b\x5d-\x7e]+$/, { error: "an OAuth scope" }))
    .describe("Requested scopes")
    .optional(),
};

const oidc = z.strictObject({
  type: z
    .literal("oidc", {
      error: "`type: oidc`; without it one of github, google, discord, magicLink, passkeys",
    })
    .describe("OpenID Connect"),
  issuer: address("Issuer URL of the OpenID provider"),
  name: z.string().min(1).describe("Name shown on the login page").optional(),
  ...client,
});

const magicLink = z.strictObject({
  enabled: z.boolean().describe("Sends links that log in by e-mail").default(false),
  confirm: z
    .boolean()
    .describe("Shows a confirmation page with one button before the login")
    .default(false),
});

const passkeys = z.strictObject({
  enabled: z
    .boolean()
    .describe("Lets visitors add passkeys to their account and log in with them")
    .default(false),
});

const SLUG = /^[a-z0-9][a-z0-9_-]{0,63}$/;
/** Segments below `/auth/` that cannot be slugs of providers. */
const TAKEN: readonly string[] = [
  "login",
  "logout",
  "me",
  "magic",
  "link",
  "unlink",
  "webhook",
  "account",
];

/** Settings that name no provider. */
const OWN: readonly string[] = ["magicLink", "passkeys"];

/** The built-in providers, and any other slug with `type: oidc`. */
export const providers = z
  .strictObject({
    github: z
      .strictObject({
        ...client,
        emailsUrl: address("URL of the e-mail addresses").optional(),
      })
      .describe("Login with GitHub")
      .optional(),
    google: z.strictObject(client).describe("Login with Google").optional(),
    discord: z.strictObject(client).describe("Login with Discord").optional(),
    magicLink: magicLink.describe("Login by a link sent by e-mail").optional(),
    passkeys: passkeys.describe("Login by a passkey of the visitor's device").optional(),
  })
  .catchall(oidc)
  .superRefine((value, context) => {
    const wrong = Object.keys(value).filter(
      (slug) => !OWN.includes(slug) && (!SLUG.test(slug) || TAKEN.includes(slug)),
    );
    for (const slug of wrong) {
      context.addIssue({
        code: "custom",
        path: [slug],
        message:
          "a name of lower-case letters, digits, `-` and `_` that is not an address of the site",
        params: { fix: "give the provider another name" },
      });
    }
  });

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

const ADDRESSES = ["issuer", "authorizationUrl", "tokenUrl", "userInfoUrl", "emailsUrl"] as const;

/** Codes, secrets and keys require https; plain http is only allowed to this machine. */
export function checkSettings({ site: { auth } }: Settings): readonly SettingsProblem[] {
  if (auth === undefined) return [];
  const problems: SettingsProblem[] = [];
  for (const [slug, provider] of Object.entries(auth.providers)) {
    const values = new Map<string, unknown>(Object.entries(provider ?? {}));
    for (const key of ADDRESSES) {
      if (isExposedUrl(values.get(key))) {
        problems.push(problem(`auth.providers.${slug}.${key}`, values.get(key)));
      }
    }
  }
  if (isExposedUrl(auth.jwt?.jwksUrl))
    problems.push(problem("auth.jwt.jwksUrl", auth.jwt?.jwksUrl));
  return problems;
}

function problem(key: string, received: unknown): SettingsProblem {
  return {
    file: "site",
    key,
    received,
    expected: "an https address, or http on this machine",
    fix: "write https://",
  };
}
