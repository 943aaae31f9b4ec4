import { acceptRoutes } from "./account-accept.js";
import { invitationRoutes } from "./account-invitations.js";
import { oidcLinkRoutes } from "./account-oidc-link.js";
import { oidcRoutes } from "./account-oidc.js";
import { passkeyLoginRoutes } from "./account-passkey-login.js";
import { passkeyRoutes } from "./account-passkeys.js";
import { resetRequestRoutes } from "./account-reset-request.js";
import { resetRoutes } from "./account-reset.js";
import { noteSessions } from "./account-session.js";
import { accountSessionRoutes } from "./account-sessions.js";
import { firstStepRoutes } from "./first-steps.js";
import { ownAccountRoutes } from "./own-account.js";
import { roleRoutes } from "./account-roles.js";
import { totpRoutes } from "./account-totp.js";
import type { RouteParts } from "./route-parts.js";

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
}
