import { acceptRoutes } from "../login/accept-invitation.js";
import { confirmEmailRoutes } from "../login/confirm-email.js";
import { invitationRoutes } from "../accounts/invitations.js";
import { oidcLinkRoutes } from "./oidc-link.js";
import { oidcRoutes } from "../login/oidc.js";
import { passkeyLoginRoutes } from "../login/passkey-login.js";
import { passkeyRoutes } from "./passkeys.js";
import { resetRequestRoutes } from "../login/reset-request.js";
import { resetRoutes } from "../login/reset-password.js";
import { noteSessions } from "./session.js";
import { accountSessionRoutes } from "./sessions.js";
import { firstStepRoutes } from "./first-steps.js";
import { ownAccountRoutes } from "./own-account.js";
import { roleRoutes } from "../accounts/roles.js";
import { totpRoutes } from "./totp.js";
import type { RouteParts } from "../route-parts.js";

/** Mounts the routes of panel accounts. */
export function accountRoutes(parts: RouteParts): void {
  noteSessions(parts);
  ownAccountRoutes(parts);
  accountSessionRoutes(parts);
  firstStepRoutes(parts);
  roleRoutes(parts);
  oidcRoutes(parts);
  oidcLinkRoutes(parts);
  totpRoutes(parts);
  passkeyRoutes(parts);
  passkeyLoginRoutes(parts);
  invitationRoutes(parts);
  acceptRoutes(parts);
  resetRequestRoutes(parts);
  resetRoutes(parts);
  confirmEmailRoutes(parts);
}
