import type { RouteTable } from "../route-table.js";
import { accountRoutes } from "./account-mount.js";
import { batchRoutes } from "./batch.js";
import { cacheRoutes } from "./cache.js";
import { draftRoutes } from "./drafts.js";
import { editingRoutes } from "./editing.js";
import { eventRoutes } from "./events.js";
import { flexRoutes } from "./flex.js";
import { historyRoutes } from "./history.js";
import { jobRoutes } from "./jobs.js";
import { loginRoutes } from "./login.js";
import { mediaMetaRoutes } from "./media-meta.js";
import { mediaRoutes } from "./media.js";
import { moveRoutes, referenceRoutes } from "./move-pages.js";
import { pageRoutes } from "./pages.js";
import { pageTypeRoutes } from "./page-types.js";
import { panelRoutes } from "./panel.js";
import { previewLinkRoutes } from "./preview-links.js";
import { previewRoutes } from "./preview.js";
import { redirectRoutes } from "./redirects.js";
import { relationTargetRoutes } from "./relation-targets.js";
import type { RouteParts } from "./route-parts.js";
import { scheduleRoutes } from "./schedule.js";
import { searchRoutes } from "./search.js";
import { settingsRoutes } from "./settings.js";
import { replayRoutes } from "./replays.js";
import { systemRoutes } from "./system.js";
import { themeRoutes } from "./themes.js";
import { tokenRoutes } from "./tokens.js";
import { translationRoutes } from "./translations.js";
import { trashRoutes } from "./trash.js";
import { userRoutes } from "./users.js";
import { workflowRoutes } from "./workflow.js";

/** Mounts every admin route; the first match wins. */
export function mountRoutes(parts: RouteParts, table: RouteTable): void {
  // Form handlers respond with pages; errors before them are JSON.
  for (const prefix of ["api", "login", "logout", "invitations", "reset"]) {
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
