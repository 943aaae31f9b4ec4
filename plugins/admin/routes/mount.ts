import type { RouteTable } from "../route-table.js";
import { batchRoutes } from "./pages/batch.js";
import { cacheRoutes, replayRoutes, systemRoutes, eventRoutes } from "./system/system.js";
import { draftRoutes } from "./drafts/drafts.js";
import { editingRoutes, translationRoutes } from "./pages/editing.js";
import { flexRoutes } from "./flex.js";
import { historyRoutes } from "./pages/history.js";
import { jobRoutes } from "./system/jobs.js";
import { loginRoutes } from "./login/login.js";
import { mediaMetaRoutes, mediaRoutes } from "./media/media.js";
import { moveRoutes, referenceRoutes } from "./pages/move-pages.js";
import { pageRoutes } from "./pages/pages.js";
import { pageTypeRoutes } from "./pages/page-types.js";
import { panelRoutes } from "./panel.js";
import { previewLinkRoutes } from "./drafts/preview-links.js";
import { previewRoutes } from "./drafts/preview.js";
import { redirectRoutes } from "./settings/redirects.js";
import { relationTargetRoutes } from "./pages/relation-targets.js";
import type { RouteParts } from "./route-parts.js";
import { scheduleRoutes, workflowRoutes } from "./pages/workflow.js";
import { searchRoutes } from "./settings/search.js";
import { settingsRoutes, themeRoutes } from "./settings/settings.js";
import { tokenRoutes } from "./accounts/tokens.js";
import { trashRoutes } from "./pages/trash.js";
import { userRoutes, roleRoutes } from "./accounts/users.js";
import { acceptRoutes, invitationRoutes } from "./accounts/invitations.js";
import { confirmEmailRoutes } from "./login/confirm-email.js";
import { oidcLinkRoutes, oidcRoutes } from "./login/oidc.js";
import { passkeyLoginRoutes, passkeyRoutes } from "./account/passkeys.js";
import { resetRequestRoutes, resetRoutes } from "./login/reset-password.js";
import { noteSessions, accountSessionRoutes } from "./account/sessions.js";
import { firstStepRoutes, ownAccountRoutes } from "./account/own-account.js";
import { totpRoutes } from "./account/totp.js";

/** Mounts every admin route; the first match wins. */
export function mountRoutes(parts: RouteParts, table: RouteTable): void {
  // Form handlers respond with pages; errors before them are JSON.
  for (const prefix of ["api", "login", "logout", "invitations", "reset", "email"]) {
    parts.site.http.jsonPrefix(`${parts.admin.path}/${prefix}`);
  }
  panelRoutes(parts, table);
  loginRoutes(parts);
  systemRoutes(parts);
  replayRoutes(parts);
  searchRoutes(parts);
  jobRoutes(parts);
  cacheRoutes(parts);
  editingRoutes(parts);
  moveRoutes(parts);
  referenceRoutes(parts);
  pageRoutes(parts);
  pageTypeRoutes(parts);
  translationRoutes(parts);
  relationTargetRoutes(parts);
  redirectRoutes(parts);
  draftRoutes(parts);
  previewRoutes(parts);
  previewLinkRoutes(parts, table);
  workflowRoutes(parts);
  scheduleRoutes(parts);
  historyRoutes(parts);
  mediaRoutes(parts);
  mediaMetaRoutes(parts);
  trashRoutes(parts);
  batchRoutes(parts);
  eventRoutes(parts);
  flexRoutes(parts);
  accountRoutes(parts);
  userRoutes(parts);
  tokenRoutes(parts);
  settingsRoutes(parts);
  themeRoutes(parts);
}

/** Mounts the routes of panel accounts. */
function accountRoutes(parts: RouteParts): void {
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
