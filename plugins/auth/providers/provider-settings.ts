import { httpUrl } from "#kernel";
import { z } from "zod";

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
