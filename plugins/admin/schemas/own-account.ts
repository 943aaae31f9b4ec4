import { z } from "zod";
import { ownAccount } from "./accounts.js";
import { error, listOf, MAX_PASSWORD, missing, text, time } from "./common.js";

const password = z.string().max(MAX_PASSWORD);
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
