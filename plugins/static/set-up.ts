import type { SiteContext } from "#kernel";
import { InProcessClient } from "./make/in-process-client.js";

/** Provides the client of an export. */
export function setUpStatic(site: SiteContext): void {
  site.provide("static", new InProcessClient(site));
}
