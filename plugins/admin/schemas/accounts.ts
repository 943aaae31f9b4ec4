import { z } from "zod";
import {
  changed,
  count,
  error,
  listOf,
  MAX_PASSWORD,
  missing,
  person,
  sliceQuery,
  text,
  time,
} from "./values.js";

/** Languages with texts of the permissions: those of the panel. */
export const PERMISSION_LANGUAGES = ["en", "de"] as const;

const roles = z.array(z.string().max(64)).max(50);
const names = {
  username: z.string().max(64).optional(),
  name: z.string().max(200).optional(),
};
const email = z.string().max(320);
const password = z.string().max(MAX_PASSWORD);
const user = z
  .object({
    id: text,
    email: text,
    name: text.nullable(),
    username: text.nullable(),
    roles: z.array(text),
    provider: text.describe("`local`, or the name of an external login"),
    enabled: z.boolean(),
    hasPassword: z.boolean(),
    createdAt: time,
    updatedAt: time,
    lastSeenAt: time,
  })
  .meta({ id: "Account", description: "An account, as administrators see it" });
/** Permissions with the patterns of paths that limit them. */
export const anyPaths = z.record(text, z.array(text)).describe("Patterns that limit a permission");
/** Permissions that apply only to pages of the account's own. */
export const ownPermissions = z
  .array(text)
  .describe("Permissions that apply only to pages that name the account in the key `owner`");
/** The own account. */
const ownAccount = user.extend({
  permissions: z.array(text),
  paths: anyPaths,
  ownPages: ownPermissions,
  pendingEmail: text
    .nullable()
    .describe("A new address that a link sent to it has not confirmed yet"),
  oidc: z
    .object({ label: text, linked: z.boolean(), removable: z.boolean() })
    .nullable()
    .describe("The OpenID provider of the panel; null without one"),
});

const role = z.object({
  name: text,
  permissions: z.array(text),
  builtIn: z.boolean(),
  paths: z.array(text).nullable().describe("Where permissions of pages and media apply"),
  pages: z
    .enum(["all", "own"])
    .describe("`own`: permissions to change pages and media apply to pages of the account only"),
});
const permission = z.object({
  name: text,
  title: text,
  description: text.describe("What it allows, in one sentence"),
  own: z.boolean().describe("Whether the signed-in identity has it"),
});

/** An invitation that was not accepted yet. */
export const invitation = z.object({
  id: text,
  email: text,
  role: text,
  createdAt: time,
  expiresAt: time,
  expired: z.boolean(),
  invitedBy: person,
});
/** An invitation that was sent, or whose link is to be handed over. */
export const sentInvitation = invitation.extend({
  sent: z.boolean().describe("False: the site sends no mail; pass `link` on"),
  link: text.optional(),
});

const token = z.object({
  id: text,
  name: text,
  permissions: z.array(text),
  userId: text.nullable(),
  createdAt: time,
  expiresAt: time.nullable(),
  lastUsedAt: time.nullable(),
  paths: z.array(text).nullable().describe("Where its permissions for pages and media apply"),
  fields: z.array(text).nullable().describe("Fields of pages and records that it may change"),
});
const limit = z.array(z.string().max(200)).min(1).max(50).nullable().default(null);

/** Accounts, roles, invitations and API tokens: queries, bodies and responses by route. */
export const accountsApi = {
  "GET /users": {
    query: z.object({
      ...sliceQuery(200),
      q: z.string().max(200).default("").describe("Part of name, username or address"),
    }),
    responses: { 200: z.object({ users: z.array(user), total: count, currentUserId: text }) },
  },
  "POST /users": {
    body: z.object({
      email,
      ...names,
      roles: roles.default([]),
      password: password.optional(),
    }),
    responses: { 201: z.object({ created: z.literal(true), user }), ...changed },
  },
  "GET /users/:id": { responses: { 200: user, ...missing } },
  "PUT /users/:id": {
    body: z.object({
      email: email.optional(),
      ...names,
      roles: roles.optional(),
      enabled: z.boolean().optional(),
    }),
    responses: { 200: z.object({ updated: z.literal(true), user }), ...changed },
  },
  "PUT /users/:id/password": {
    body: z.object({ password }),
    responses: { 200: z.object({ updated: z.literal(true) }), ...missing },
  },
  "DELETE /users/:id": {
    responses: { 200: z.object({ deleted: z.literal(true), id: text }), ...changed },
  },
  "DELETE /users/:id/totp": {
    responses: { 200: z.object({ enabled: z.literal(false) }), ...missing },
  },
  "GET /permissions": {
    query: z.object({
      lang: z.enum(PERMISSION_LANGUAGES).default("en").describe("Language of the texts"),
    }),
    responses: { 200: listOf(permission) },
  },
  "GET /roles": {
    responses: {
      200: listOf(role).extend({ permissions: z.array(text).describe("Every permission") }),
    },
  },
  "GET /invitations": { responses: { 200: listOf(invitation) } },
  "POST /invitations": {
    body: z.object({ email, role: z.string().max(64) }),
    responses: { 201: sentInvitation, 409: error },
  },
  "POST /invitations/:id/resend": { responses: { 200: sentInvitation, ...missing } },
  "DELETE /invitations/:id": {
    responses: { 200: z.object({ revoked: z.literal(true), id: text }), ...missing },
  },
  "GET /tokens": { responses: { 200: listOf(token) } },
  "POST /tokens": {
    body: z.object({
      name: z.string().min(1).max(100),
      permissions: z.array(z.string().max(64)).min(1).max(50),
      expires: z.iso
        .datetime({ offset: true })
        .or(z.iso.date())
        .nullable()
        .default(null)
        .describe("Expiry date or time; null: never"),
      paths: limit.describe(
        "Patterns below the content folder (blog/**): its permissions for pages and media apply only there",
      ),
      fields: limit.describe(
        "Fields of pages and records that it may change, and body for the text of a page",
      ),
    }),
    responses: { 201: token.extend({ token: text.describe("Shown only once") }) },
  },
  "DELETE /tokens/:id": {
    responses: { 200: z.object({ revoked: z.literal(true), id: text }), ...missing },
  },
};

const confirmed = z.object({ current: password });
const refused = { 403: error, 404: error, 409: error, 429: error };
const csrfToken = text.nullable();

const session = z.object({
  id: text,
  device: text.describe("`Firefox 141 on Linux`"),
  address: text,
  createdAt: time,
  lastSeenAt: time.describe("Unix ms, accurate to five minutes"),
  expiresAt: time,
  current: z.boolean(),
});

const recovery = z.object({
  enabled: z.literal(true),
  recoveryCodes: z.array(text).describe("Shown only once; each replaces a code once"),
});

const creationOptions = z.looseObject({
  challenge: text,
  rp: z.looseObject({ name: text, id: text.optional() }),
  user: z.looseObject({ id: text, name: text, displayName: text }),
  pubKeyCredParams: z.array(z.looseObject({ type: z.literal("public-key"), alg: z.int() })),
});
const passkeyName = z.string().trim().min(1).max(100);
const passkey = z.object({
  id: text,
  name: text,
  synced: z.boolean(),
  createdAt: time,
  lastUsedAt: time.nullable(),
});

/** The signed-in account, its sessions, authenticator app and passkeys: queries, bodies and responses by route. */
export const ownAccountApi = {
  "GET /me": { responses: { 200: ownAccount, ...missing } },
  "PATCH /me": {
    body: z.object({
      name: z.string().max(200).optional(),
      email: z.string().max(320).optional(),
      current: password.optional().describe("The password; needed for another e-mail address"),
    }),
    responses: { 200: ownAccount, ...missing, 409: error, 429: error },
  },
  "POST /me/password": {
    body: z.object({ current: password, next: password }),
    responses: { 200: z.object({ updated: z.literal(true), csrfToken }), ...missing },
  },
  "GET /me/first-steps": {
    responses: {
      200: z.object({
        dismissed: z.boolean(),
        steps: z.array(
          z.object({ name: z.enum(["password", "title", "page"]), done: z.boolean() }),
        ),
      }),
    },
  },
  "DELETE /me/first-steps": {
    responses: { 200: z.object({ dismissed: z.literal(true) }) },
  },
  "GET /me/sessions": { responses: { 200: listOf(session) } },
  "DELETE /me/sessions": { responses: { 200: z.object({ revoked: z.int(), csrfToken }) } },
  "DELETE /me/sessions/:id": {
    responses: { 200: z.object({ revoked: z.literal(true), id: text }), ...missing },
  },
  "POST /me/oidc": {
    body: confirmed,
    responses: { 200: z.object({ url: text }), ...refused },
  },
  "DELETE /me/oidc": {
    body: confirmed,
    responses: { 200: z.object({ linked: z.literal(false) }), ...refused },
  },
  "GET /me/totp": {
    responses: {
      200: z.object({
        enabled: z.boolean(),
        confirmedAt: time.nullable(),
        recoveryCodesLeft: z.int(),
      }),
    },
  },
  "POST /me/totp": {
    body: confirmed,
    responses: {
      201: z.object({
        secret: text.describe("Base32, to type in"),
        uri: text.describe("`otpauth://…`"),
        qr: text.describe("The URI as QR code, SVG"),
      }),
      ...refused,
    },
  },
  "POST /me/totp/confirm": {
    body: z.object({ code: z.string().max(64) }),
    responses: { 200: recovery, ...refused },
  },
  "POST /me/totp/recovery-codes": {
    body: confirmed,
    responses: { 200: recovery, ...refused },
  },
  "DELETE /me/totp": {
    body: confirmed,
    responses: { 200: z.object({ enabled: z.literal(false) }), ...refused },
  },
  "GET /me/passkeys": {
    responses: {
      200: listOf(passkey).extend({
        available: z.boolean(),
        reason: text.optional().describe("Why passkeys are not available"),
      }),
    },
  },
  "POST /me/passkeys/options": {
    body: z.object({ current: password.optional().describe("The password, if there is one") }),
    responses: { 200: creationOptions, ...refused },
  },
  "POST /me/passkeys": {
    body: z.object({
      name: passkeyName,
      response: z.unknown().describe("What the browser created"),
    }),
    responses: { 201: passkey, ...refused },
  },
  "PATCH /me/passkeys/:id": {
    body: z.object({ name: passkeyName }),
    responses: { 200: passkey, ...missing },
  },
  "DELETE /me/passkeys/:id": {
    responses: { 200: z.object({ removed: z.literal(true), id: text }), ...missing },
  },
};
