import type { RouteTable } from "../route-table.js";
import { batchRoutes } from "./pages/batch.js";
import { cacheRoutes, replayRoutes, systemRoutes, eventRoutes } from "./system/system.js";
import { duplicateRoute } from "./pages/duplicate-page.js";
import { draftRoutes } from "./working-copies/working-copies.js";
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
import { previewLinkRoutes } from "./working-copies/preview-links.js";
import { previewRoutes } from "./working-copies/preview.js";
import { redirectRoutes } from "./settings/redirects.js";
import { relationTargetRoutes } from "./pages/relation-targets.js";
import type { AdminContext } from "./admin-context.js";
import { savedViewRoutes } from "./pages/saved-views.js";
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
export function mountRoutes(context: AdminContext, table: RouteTable): void {
  // Form handlers respond with pages; errors before them are JSON.
  for (const prefix of ["api", "login", "logout", "invitations", "reset", "email"]) {
    context.site.http.jsonPrefix(`${context.admin.path}/${prefix}`);
  }
  panelRoutes(context, table);
  loginRoutes(context);
  systemRoutes(context);
  replayRoutes(context);
  searchRoutes(context);
  jobRoutes(context);
  cacheRoutes(context);
  editingRoutes(context);
  moveRoutes(context);
  duplicateRoute(context);
  referenceRoutes(context);
  pageRoutes(context);
  savedViewRoutes(context);
  pageTypeRoutes(context);
  translationRoutes(context);
  relationTargetRoutes(context);
  redirectRoutes(context);
  draftRoutes(context);
  previewRoutes(context);
  previewLinkRoutes(context, table);
  workflowRoutes(context);
  scheduleRoutes(context);
  historyRoutes(context);
  mediaRoutes(context);
  mediaMetaRoutes(context);
  trashRoutes(context);
  batchRoutes(context);
  eventRoutes(context);
  flexRoutes(context);
  accountRoutes(context);
  userRoutes(context);
  tokenRoutes(context);
  settingsRoutes(context);
  themeRoutes(context);
}

/** Mounts the routes of panel accounts. */
function accountRoutes(context: AdminContext): void {
  noteSessions(context);
  ownAccountRoutes(context);
  accountSessionRoutes(context);
  firstStepRoutes(context);
  roleRoutes(context);
  oidcRoutes(context);
  oidcLinkRoutes(context);
  totpRoutes(context);
  passkeyRoutes(context);
  passkeyLoginRoutes(context);
  invitationRoutes(context);
  acceptRoutes(context);
  resetRequestRoutes(context);
  resetRoutes(context);
  confirmEmailRoutes(context);
}
