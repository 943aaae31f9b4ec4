import type { RouteTable } from "../route-table.js";
import { accountRoutes } from "./account/mount.js";
import { batchRoutes } from "./pages/batch.js";
import { cacheRoutes } from "./system/cache.js";
import { draftRoutes } from "./drafts/drafts.js";
import { editingRoutes } from "./pages/editing.js";
import { eventRoutes } from "./system/events.js";
import { flexRoutes } from "./records/flex.js";
import { historyRoutes } from "./pages/history.js";
import { jobRoutes } from "./system/jobs.js";
import { loginRoutes } from "./login/login.js";
import { mediaMetaRoutes } from "./media/media-meta.js";
import { mediaRoutes } from "./media/media.js";
import { moveRoutes, referenceRoutes } from "./pages/move-pages.js";
import { pageRoutes } from "./pages/pages.js";
import { pageTypeRoutes } from "./pages/page-types.js";
import { panelRoutes } from "./panel/panel.js";
import { previewLinkRoutes } from "./drafts/preview-links.js";
import { previewRoutes } from "./drafts/preview.js";
import { redirectRoutes } from "./settings/redirects.js";
import { relationTargetRoutes } from "./pages/relation-targets.js";
import type { RouteParts } from "./route-parts.js";
import { scheduleRoutes } from "./pages/schedule.js";
import { searchRoutes } from "./settings/search.js";
import { settingsRoutes } from "./settings/settings.js";
import { replayRoutes } from "./system/replays.js";
import { systemRoutes } from "./system/system.js";
import { themeRoutes } from "./settings/themes.js";
import { tokenRoutes } from "./accounts/tokens.js";
import { translationRoutes } from "./pages/translations.js";
import { trashRoutes } from "./pages/trash.js";
import { userRoutes } from "./accounts/users.js";
import { workflowRoutes } from "./pages/workflow.js";

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
