/** The routes that check adds to the admin API, for the panel. */
import type { checkApi } from "./schemas.js";

/** The schemas of each route, by method and path. */
export type CheckApi = typeof checkApi;
