import { httpUrl } from "#kernel";
import { z } from "zod";

/** Keys of every provider that is reached by OAuth 2. */
const client = {
  clientId: z.string().min(1).describe("Client id given by the provider"),
  clientSecret: z
    .string()
    .min(1)
    .meta({ secret: true })
    .describe("Client secret given by the provider"),
  authorizationUrl: httpUrl()
    .describe("Where visitors log in, for an instance of one's own")
    .optional(),
  tokenUrl: httpUrl()
    .describe("Where codes are exchanged, for an instance of one's own")
    .optional(),
  userInfoUrl: httpUrl()
    .describe("Where the profile is read, for an instance of one's own")
    .optional(),
  scopes: z
    .array(z.string().regex(/^[\x21\x23-\x5b\x5d-\x7e]+$/, { error: "an OAuth scope" }))
    .describe("Scopes asked for")
    .optional(),
};

const oidc = z.strictObject({
  type: z
    .literal("oidc", {
      error: "`type: oidc`; without it one of github, google, discord, magicLink",
    })
    .describe("OpenID Connect"),
  issuer: httpUrl().describe("Address of the OpenID provider"),
  name: z.string().min(1).describe("Name shown on the login page").optional(),
  ...client,
});

const magicLink = z.strictObject({
  enabled: z.boolean().describe("Sends links that log in by e-mail").default(false),
  confirm: z
    .boolean()
    .describe("Puts a page with one button between the link and the login")
    .default(false),
});

const SLUG = /^[a-z0-9][a-z0-9_-]{0,63}$/;
/** Segments below `/auth/` that are not providers. */
const TAKEN: readonly string[] = ["login", "logout", "me", "magic", "link", "unlink", "webhook"];

/** The known providers, and any further slug with `type: oidc`. */
export const providers = z
  .strictObject({
    github: z
      .strictObject({
        ...client,
        emailsUrl: httpUrl().describe("Where the addresses are read").optional(),
      })
      .describe("Login with GitHub")
      .optional(),
    google: z.strictObject(client).describe("Login with Google").optional(),
    discord: z.strictObject(client).describe("Login with Discord").optional(),
    magicLink: magicLink.describe("Login by a link sent by e-mail").optional(),
  })
  .catchall(oidc)
  .superRefine((value, context) => {
    const wrong = Object.keys(value).filter(
      (slug) => slug !== "magicLink" && (!SLUG.test(slug) || TAKEN.includes(slug)),
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
