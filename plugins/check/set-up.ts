import type { SiteContext } from "#kernel";
import { warnOfMissingLogin } from "./find-problems.js";
import { problemsRoute } from "./routes.js";
import { Checks } from "./service.js";

/** Registers what the plugin does in a site that starts. */
export function setUpCheck(site: SiteContext): void {
  const checks = new Checks(site);
  site.provide("check", checks);
  problemsRoute(site, checks);
  site.lifecycle.onListen(() => warnOfMissingLogin(site));
}
