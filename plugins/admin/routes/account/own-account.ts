import { z } from "zod";
import { HttpError } from "#kernel";
import type { User } from "../../../users/contract.js";
import type { AdminIdentity } from "../../contract.js";
import { notifyOwner } from "../../accounts/account-notices.js";
import { refusal } from "../../refusals.js";
import { assertPassword, MAX_PASSWORD } from "./assert-password.js";
import { ownSession, startSession, type Exchange } from "./session.js";
import { answers } from "../answers.js";
import { note, notFound, type RouteParts } from "../route-parts.js";
import { shown } from "../accounts/users.js";

const LIMIT = 16_384;
const password = z.string().max(MAX_PASSWORD);
const passwordBody = z.object({ current: password, next: password });
const changeBody = z.object({
  name: z.string().max(200).optional(),
  email: z.string().max(320).optional(),
  current: password.optional().describe("The password; needed for another e-mail address"),
});

/** The signed-in account. */
export function ownAccountRoutes(parts: RouteParts): void {
  const { admin, site } = parts;
  admin.route({
    method: "get",
    path: "/me",
    permission: "any",
    summary: "The own account with its permissions",
    responses: answers.me,
    handler: async (req, res, { identity }) => {
      const user = await site.use("users").get(identity.id);
      if (user === null) throw notFound("the token does not belong to an account");
      await site.http.json(req, res, accountView(parts, user, identity));
    },
  });
  admin.route({
    method: "patch",
    path: "/me",
    permission: "any",
    summary: "Change the own name or e-mail address",
    responses: { ...answers.me, 409: answers.me[404] },
    body: { as: "json", limit: LIMIT, schema: changeBody },
    handler: async (req, res, { body, identity }) => {
      const user = await change(parts, { req, res, identity }, body);
      await site.http.json(req, res, accountView(parts, user, identity));
    },
  });
  admin.route({
    method: "post",
    path: "/me/password",
    permission: "any",
    summary: "Change the own password and end all other sessions of the account",
    responses: answers.ownPassword,
    body: { as: "json", limit: LIMIT, schema: passwordBody },
    handler: (req, res, { body, identity }) => setPassword(parts, { req, res, identity }, body),
  });
}

type OwnExchange = Exchange & { identity: AdminIdentity };

function accountView(
  { account }: RouteParts,
  user: User,
  { permissions, paths }: AdminIdentity,
): Record<string, unknown> {
  const oidc = account.oidc?.linkOf(user) ?? null;
  return { ...shown(user), permissions: [...permissions], paths: Object.fromEntries(paths), oidc };
}

/** The address receives links that reset the password, so changing it needs the password. */
async function change(
  parts: RouteParts,
  { req, identity }: OwnExchange,
  { name, email, current }: z.infer<typeof changeBody>,
): Promise<User> {
  const user = await ownSession(parts, identity);
  const event = "user.update";
  if (email !== undefined && email.trim().toLowerCase() !== user.email) {
    if (user.passwordHash === undefined) {
      const message = "the account has no password: an admin changes its e-mail address";
      throw refusal(403, "ERR_ADMIN_FORBIDDEN", { message });
    }
    if (current === undefined) {
      throw new HttpError(400, "current: changing the e-mail address needs the current password");
    }
    await assertPassword(parts, { req, identity, user, event }, current);
  }
  const given = { ...(name !== undefined && { name }), ...(email !== undefined && { email }) };
  const updated = await parts.site
    .use("users")
    .update(user.id, (found) => ({ ...found, ...given }));
  if (updated.email !== user.email) await notifyOwner(parts.site, user.email, "email");
  const detail = { fields: Object.keys(given).join(" ") };
  note(parts, req, { event, actor: identity, target: { type: "user", id: user.id }, detail });
  return updated;
}

async function setPassword(
  parts: RouteParts,
  { req, res, identity }: OwnExchange,
  { current, next }: z.infer<typeof passwordBody>,
): Promise<void> {
  const { site, identities, account } = parts;
  const user = await ownSession(parts, identity);
  const event = "user.password";
  await assertPassword(parts, { req, identity, user, event }, current);
  await site.use("users").setPassword(user.id, next);
  await account.firstSteps.passwordChanged(current);
  await notifyOwner(site, user.email, "password");
  // Setting a password ends all sessions; this one continues under a new id.
  await startSession(parts, { req, res }, user);
  note(parts, req, { event, actor: identity, target: { type: "user", id: user.id } });
  const csrfToken = (await identities.signedIn(req))?.csrfToken ?? null;
  await site.http.json(req, res, { updated: true, csrfToken });
}
