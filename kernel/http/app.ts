import express, { type Express, type NextFunction, type Request, type Response } from "express";
import qs from "qs";
import { HttpError } from "#lib/errors";
import type {
  Authorization,
  CspOptions,
  HandledBy,
  Handler,
  Hooks,
  Settings,
} from "../contracts.js";
import { cspAdder } from "./response/csp.js";
import { routesHandler } from "./routes.js";
import type { Mount, SiteHttp } from "./site-http.js";

/** Maximum number of query parameters read. */
const MAX_PARAMETERS = 100;

/** The Express app of a site: its settings, and the prototypes of its requests and responses. */
export function createApp(settings: Settings): Express {
  const app = express();
  app.disable("x-powered-by");
  app.disable("etag");
  app.enable("case sensitive routing");
  app.enable("strict routing");
  app.set("trust proxy", settings.system.server.trust_proxy);
  app.set("query parser", parseQuery);
  return app;
}

/** Dependencies of the mounted phases. */
export interface MountOptions {
  http: SiteHttp;
  hooks: Hooks;
  /** Checks the permission of a route. */
  authorize: Authorization["authorize"];
}

/** Mounts on `app` what runs after the edge: identity, routes, pages, then 404 and 405. */
export function mountPhases(app: Express, { http, hooks, authorize }: MountOptions): void {
  const { identity, routes, pages } = http.phases;
  mount(app, identity);
  if (hooks.has("onApiRequest")) app.use(tellApiRequest(http, hooks));
  mount(app, routes);
  app.use(routesHandler(http.routes, authorize));
  app.use((req, _res, next) => {
    // Below a JSON prefix, a page may serve a path that no route matches.
    const { ctx } = req;
    if (!http.isJson(req)) ctx.route = "page";
    ctx.handledBy = undefined;
    next();
  });
  mount(app, pages);
  app.use((req) => {
    if (req.method === "GET" || req.method === "HEAD" || http.isJson(req))
      throw new HttpError(404, "Not found");
    throw new HttpError(405, "allowed methods: GET, HEAD", { headers: { Allow: "GET, HEAD" } });
  });
}

function mount(app: Express, mounts: readonly Mount[]): void {
  for (const { prefix, handler, plugin, csp } of mounts) {
    if (prefix === null) app.use(handler);
    else app.use(prefix, mountStep({ plugin, route: prefix }, csp), handler);
  }
}

function mountStep(handledBy: HandledBy, csp: CspOptions | undefined): Handler {
  const addCsp = csp && cspAdder(csp);
  return (req, _res, next) => {
    const { ctx } = req;
    ctx.handledBy = handledBy;
    addCsp?.(req);
    next();
  };
}

/** Nested names are supported (`facet[template]`); prototypes and unlimited nesting are not. */
export function parseQuery(text: string): Record<string, unknown> {
  return qs.parse(text, {
    allowPrototypes: false,
    plainObjects: true,
    depth: 3,
    arrayLimit: 50,
    parameterLimit: MAX_PARAMETERS,
  });
}

function tellApiRequest(http: SiteHttp, hooks: Hooks) {
  return async (req: Request, _res: Response, next: NextFunction): Promise<void> => {
    if (http.isJson(req)) await hooks.transform("onApiRequest", { req });
    next();
  };
}
