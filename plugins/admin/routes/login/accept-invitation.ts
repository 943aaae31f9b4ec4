import { z } from "zod";
import { HttpError } from "#kernel";
import type { User } from "../../../users/contract.js";
import type { Invitation } from "../../accounts/invitations.js";
import { answers } from "../answers.js";
import { assertOwnPage, FORM_BYTES, handleForm, isForm, redirect, sendForm } from "./forms.js";
import { loginResponses, sessionView } from "./sign-in.js";
import { MAX_PASSWORD } from "../account/assert-password.js";
import { startSession, type Exchange } from "../account/session.js";
import type { RouteParts } from "../route-parts.js";

const body = z.object({
  name: z.string().max(200).default(""),
  password: z.string().max(MAX_PASSWORD).default(""),
});
const INVALID = "This invitation has expired, was withdrawn or was already accepted.";

/** The page of an invitation: choose a name and a password. */
export function acceptRoutes(parts: RouteParts): void {
  const { admin, account } = parts;
  const path = "/invitations/:token";
  admin.panel({
    method: "get",
    path,
    permission: "none",
    summary: "Page of an invitation",
    handler: async (req, res, { params }) => {
      const { token = "" } = params;
      const invitation = await account.invitations.find(token);
      show(parts, { req, res }, { token, invitation, error: null, name: "" });
    },
  });
  admin.panel({
    method: "post",
    path,
    permission: "none",
    summary: "Accept an invitation with name and password, as JSON or form",
    responses: { ...loginResponses, 404: answers.me[404], 409: answers.me[404] },
    body: { as: "form", limit: FORM_BYTES, schema: body },
    handler: (req, res, input) => {
      const { token = "" } = input.params;
      return handleForm(
        req,
        () => accept(parts, { req, res }, { ...input.body, token }),
        async (error) => {
          const invitation = await account.invitations.find(token);
          const { name } = input.body;
          show(parts, { req, res }, { token, invitation, error, name });
        },
      );
    },
  });
}

async function accept(
  parts: RouteParts,
  { req, res }: Exchange,
  { token, name, password }: z.infer<typeof body> & { token: string },
): Promise<void> {
  assertOwnPage(parts, req);
  if (name.trim() === "") throw new HttpError(400, "name: a name is required");
  const user = await parts.account.invitations.accept(token, (invitation) =>
    create(parts, invitation, { name, password }),
  );
  if (user === null) throw new HttpError(404, INVALID);
  await startSession(parts, { req, res }, user);
  const identity = await parts.identities.signedIn(req);
  const target = { type: "user", id: user.id };
  parts.admin.audit({ event: "invitation.accept", actor: identity, ip: req.ctx.ip, target });
  if (isForm(req)) return redirect(req, res, { to: parts.admin.path });
  if (identity === null) throw new HttpError(503, "the session could not be read back");
  await parts.site.http.json(req, res, { ...sessionView(identity), location: parts.admin.path });
}

async function create(
  { site }: RouteParts,
  { email, role }: Invitation,
  { name, password }: { name: string; password: string },
): Promise<User> {
  const users = site.use("users");
  const created = await users.create({ email, name, provider: "local", roles: [role] });
  try {
    return await users.setPassword(created.id, password);
  } catch (error) {
    // Do not leave behind an account without a password.
    await users.delete(created.id);
    throw error;
  }
}

function show(
  parts: RouteParts,
  exchange: Exchange,
  shown: { token: string; invitation: Invitation | null; error: HttpError | null; name: string },
): void {
  const { token, invitation, error, name } = shown;
  const { admin, site } = parts;
  if (invitation === null) {
    const link = { href: `${admin.path}/login`, label: "Sign in" };
    const page = { heading: "Invitation", text: INVALID, error: null, form: null, link };
    return sendForm(parts, exchange, { ...page, status: 404 });
  }
  const { email } = invitation;
  sendForm(parts, exchange, {
    heading: "Welcome",
    text: `Choose your name and password for ${site.settings.site.title}. You will sign in as ${email}.`,
    error: error?.message ?? null,
    status: error?.status ?? 200,
    form: {
      action: `${admin.path}/invitations/${token}`,
      fields: [
        {
          name: "name",
          label: "Name",
          type: "text",
          autocomplete: "name",
          value: name,
          isFocused: true,
        },
        {
          name: "password",
          label: "Password",
          type: "password",
          autocomplete: "new-password",
          hint: "At least 12 characters.",
        },
      ],
      button: "Create account",
    },
    link: null,
  });
}
