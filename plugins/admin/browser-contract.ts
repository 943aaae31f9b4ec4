/** The admin API for the panel: its types are inferred from the schemas of the routes. */
import type { z } from "zod";
import type { accountsApi, ownAccountApi } from "./schemas/accounts.js";
import type { arrangingApi } from "./schemas/arranging.js";
import type { dryRunAnswer } from "./schemas/values.js";
import type { workflowApi, saveConflict } from "./schemas/workflow.js";
import type { mediaApi } from "./schemas/media.js";
import type { pagesApi } from "./schemas/pages.js";
import type { recordsApi } from "./schemas/records.js";
import type { settingsApi } from "./schemas/settings.js";
import type { systemApi } from "./schemas/system.js";

/** The schemas of each route, by method and path. */
export type AdminApi = typeof accountsApi &
  typeof arrangingApi &
  typeof workflowApi &
  typeof mediaApi &
  typeof ownAccountApi &
  typeof pagesApi &
  typeof recordsApi &
  typeof settingsApi &
  typeof systemApi;

/** The response of routes that are only tried out, with `dry_run=true`. */
export type DryRun = z.output<typeof dryRunAnswer>;

/** The body of a 409 when a working copy cannot be saved. */
export type SaveConflict = z.output<typeof saveConflict>;
