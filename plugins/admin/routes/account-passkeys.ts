import { z } from "zod";
import { HttpError } from "#kernel";
import type { User } from "../../users/contract.js";
import { MAX_PASSKEYS, userHandleOf, type Passkey } from "../accounts/passkeys.js";
import { relyingPartyOf, type RelyingParty } from "../accounts/relying-party.js";
import type { AdminIdentity } from "../contract.js";
import { refusal } from "../refusals.js";
import { startChallenge, takeChallenge } from "./account-challenge.js";
import { assertPassword, MAX_PASSWORD } from "./account-password.js";
import { ownSession, type Exchange } from "./account-session.js";
import { note, notFound, type RouteParts } from "./route-parts.js";

const LIMIT = 65_536;
const text = z.string();
const encoded = z
  .string()
  .max(32_768)
  .regex(/^[\w-]+$/, { error: "base64url" });
const optionsBody = z.object({
  current: z.string().max(MAX_PASSWORD).optional().describe("The password, if there is one"),
});
const name = z.string().trim().min(1).max(100);
const renameBody = z.object({ name });
const createBody = z.object({
  name,
  response: z.object({
    id: encoded,
    response: z.object({
      clientDataJSON: encoded,
      attestationObject: encoded,
      transports: z.array(z.string().max(32)).max(10).default([]),
    }),
  }),
});
const error = z.object({ error: text });
const passkey = z.object({
  ...{ id: text, name: text, synced: z.boolean() },
  ...{ createdAt: z.number(), lastUsedAt: z.number().nullable() },
});
const list = z.object({
  items: z.array(passkey),
  total: z.int(),
  available: z.boolean(),
  reason: text.optional().describe("Why passkeys are not available"),
});
const responses = { 403: error, 404: error, 409: error, 429: error };

/** Passkeys of the signed-in account. */
export function passkeyRoutes(parts: RouteParts): void {
  const { admin, site, account } = parts;
  admin.route({
    method: "get",
    path: "/me/passkeys",
    permission: "any",
    summary: "Passkeys of the own account, and whether the site can have any",
    responses: { 200: list },
    handler: async (req, res, { identity }) => {
      const user = await ownSession(parts, identity);
      const items = (await account.passkeys.list(user.id)).map(shown);
      const party = relyingPartyOf(site.settings.site.url);
      const available = !("reason" in party);
      const total = items.length;
      await site.http.json(req, res, { items, total, available, ...(!available && party) });
    },
  });
  admin.route({
    method: "post",
    path: "/me/passkeys/options",
    permission: "any",
    summary: "Options for `navigator.credentials.create`",
    responses: { 200: z.looseObject({ challenge: text }), ...responses },
    body: { as: "json", limit: LIMIT, schema: optionsBody },
    handler: async (req, res, { identity, body: { current } }) => {
      const options = await creationOptions(parts, { req, res, identity }, current);
      await site.http.json(req, res, options);
    },
  });
  admin.route({
    method: "post",
    path: "/me/passkeys",
    permission: "any",
    summary: "Add the passkey that the browser created",
    responses: { 201: passkey, ...responses },
    body: { as: "json", limit: LIMIT, schema: createBody },
    handler: async (req, res, { identity, body }) => {
      const added = await addPasskey(parts, { req, res, identity }, body);
      const target = { type: "user", id: identity.id };
      note(parts, req, { event: "user.passkey_added", actor: identity, target });
      await site.http.json(req, res, shown(added), { status: 201 });
    },
  });
  addChanges(parts);
}

function addChanges(parts: RouteParts): void {
  const { admin, site, account } = parts;
  admin.route({
    method: "patch",
    path: "/me/passkeys/:id",
    permission: "any",
    summary: "Rename a passkey",
    responses: { 200: passkey, 404: error },
    body: { as: "json", limit: LIMIT, schema: renameBody },
    handler: async (req, res, { identity, params, body }) => {
      const user = await ownSession(parts, identity);
      const renamed = await account.passkeys.rename(user.id, params["id"] ?? "", body.name);
      if (renamed === null) throw notFound("no such passkey");
      await site.http.json(req, res, shown(renamed));
    },
  });
  admin.route({
    method: "delete",
    path: "/me/passkeys/:id",
    permission: "any",
    summary: "Remove a passkey",
    responses: { 200: z.object({ removed: z.literal(true), id: text }), 404: error },
    handler: async (req, res, { identity, params }) => {
      const user = await ownSession(parts, identity);
      const id = params["id"] ?? "";
      if (!(await account.passkeys.remove(user.id, id))) throw notFound("no such passkey");
      const target = { type: "user", id: user.id };
      note(parts, req, { event: "user.passkey_removed", actor: identity, target });
      await site.http.json(req, res, { removed: true, id });
    },
  });
}

/**
 * The site's name for authenticators.
 * @throws ERR_ADMIN_PASSKEY (409) with the reason why the site has no name.
 */
export function assertRelyingParty({ site }: RouteParts): RelyingParty {
  const party = relyingPartyOf(site.settings.site.url);
  if (!("reason" in party)) return party;
  throw refusal(409, "ERR_ADMIN_PASSKEY", { message: party.reason });
}

type Own = Exchange & { identity: AdminIdentity };

/** A stolen session must not add a way to sign in, so this needs the password. */
async function creationOptions(
  parts: RouteParts,
  { req, res, identity }: Own,
  current: string | undefined,
): Promise<object> {
  const user = await ownSession(parts, identity);
  const { id: rpID } = assertRelyingParty(parts);
  const known = await parts.account.passkeys.list(user.id);
  if (known.length >= MAX_PASSKEYS) {
    throw new HttpError(409, `the account has ${MAX_PASSKEYS} passkeys: remove one first`);
  }
  if (user.passwordHash !== undefined) {
    if (current === undefined) throw new HttpError(400, "current: the password is required");
    await assertPassword(parts, { req, identity, user, event: "user.passkey_added" }, current);
  }
  const { generateRegistrationOptions } = await import("@simplewebauthn/server");
  return generateRegistrationOptions({
    rpName: parts.site.settings.site.title,
    rpID,
    userName: user.email,
    userDisplayName: user.name ?? user.email,
    userID: new TextEncoder().encode(userHandleOf(user.id)),
    challenge: await startChallenge(parts, { req, res }, purposeOf(parts, { req, res }, user)),
    attestationType: "none",
    excludeCredentials: known.map(({ id, transports }) => ({ id, transports })),
    authenticatorSelection: { residentKey: "required", userVerification: "required" },
  });
}

async function addPasskey(
  parts: RouteParts,
  { req, res, identity }: Own,
  { name, response: { id, response } }: z.infer<typeof createBody>,
): Promise<Passkey> {
  const user = await ownSession(parts, identity);
  const party = assertRelyingParty(parts);
  const expectedChallenge = await takeChallenge(
    parts,
    { req, res },
    purposeOf(parts, { req, res }, user),
  );
  const { verifyRegistrationResponse } = await import("@simplewebauthn/server");
  const verified = await verifyRegistrationResponse({
    response: { id, rawId: id, type: "public-key", response, clientExtensionResults: {} },
    expectedChallenge,
    expectedOrigin: party.origin,
    expectedRPID: party.id,
    requireUserVerification: true,
  }).catch((cause: unknown) => {
    throw new HttpError(400, `response: ${String(cause).slice(0, 200)}`, { cause });
  });
  if (!verified.verified) throw new HttpError(400, "response: the passkey could not be verified");
  const { credential, credentialBackedUp } = verified.registrationInfo;
  const added = await parts.account.passkeys.add(user.id, {
    ...{ id: credential.id, name, counter: credential.counter, synced: credentialBackedUp },
    publicKey: Buffer.from(credential.publicKey).toString("base64url"),
    transports: response.transports,
  });
  if (added === null) throw new HttpError(409, "the account has this passkey, or too many");
  return added;
}

/** A challenge belongs to the session that requested it. */
function purposeOf({ site }: RouteParts, { req }: Exchange, user: User): string {
  return `add ${user.id} ${site.use("session").current(req, "admin")?.id ?? ""}`;
}

function shown({ id, name, synced, createdAt, lastUsedAt }: Passkey): z.infer<typeof passkey> {
  return { id, name, synced, createdAt, lastUsedAt };
}
