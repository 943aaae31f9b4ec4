import { noteSessions } from "./account-session.js";
import { accountSessionRoutes } from "./account-sessions.js";
import { ownAccountRoutes } from "./own-account.js";
import type { RouteParts } from "./route-parts.js";

/** Mounts the routes of panel accounts. */
export function accountRoutes(parts: RouteParts): void {
  noteSessions(parts);
  ownAccountRoutes(parts);
  accountSessionRoutes(parts);
}
