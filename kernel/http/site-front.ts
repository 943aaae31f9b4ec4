/** What requests to a site pass through: its server, and its handler for a host. Loads Express. */
import { adopter, type Resident } from "#lib/http";
import type { Logger, Settings } from "../contracts.js";
import type { SiteRegistries } from "../boot/site-context.js";
import { createApp, mountPhases } from "./app.js";
import { hostHandler, type HostHandler } from "./host-handler.js";
import { createSiteServer } from "./server.js";
import { watchUnanswered } from "./unanswered.js";

/** The server of a site, which need not listen, and the site as a handler. */
export interface SiteFront extends Resident {
  readonly handler: HostHandler;
}

/** Dependencies of a front. */
export interface FrontOptions {
  /** With sealed registries. */
  readonly site: SiteRegistries;
  readonly settings: Settings;
  readonly log: Logger;
}

/** Creates the app and the server of a site whose plugins are set up. */
export function openSiteFront({ site, settings, log }: FrontOptions): SiteFront {
  const hooks = site.bus.forPlugin("kernel", -1);
  const app = createApp(settings);
  mountPhases(app, { http: site.http, hooks, authorize: site.authorize });
  const server = createSiteServer({
    http: site.http,
    app,
    timings: site.timings,
    hooks,
    log,
    unanswered: watchUnanswered({
      log,
      signal: site.ended.signal,
      afterMs: site.handlerLimitMs,
      awaitedSince: (moment) => site.slots.awaitedSince(moment),
    }),
    trustsProxy: settings.system.server.trust_proxy !== false,
    defaultLang: "",
  });
  return {
    server,
    adopt: adopter(server, app),
    handler: hostHandler(server, app, site.http.sitePath),
  };
}
