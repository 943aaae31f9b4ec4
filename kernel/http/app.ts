import express, { type Express, type NextFunction, type Request, type Response } from "express";
import qs from "qs";
import type { Handler, Hooks, Settings } from "../contracts.js";
import { HttpError } from "../errors.js";
import { chain } from "./chain.js";
import { routesHandler } from "./routes.js";
import type { SiteHttp } from "./site-http.js";

/** Most query parameters that are read. */
const MOST_PARAMETERS = 100;

/** The Express app of a site: its settings, and the prototypes of its requests and responses. */
export function createApp(settings: Settings): Express {
  const app = express();
  app.disable("x-powered-by");
  app.disable("etag");
  app.set("trust proxy", settings.system.server.trust_proxy);
  app.set("query parser", parseQuery);
  return app;
}

/** What comes after the edge: identity, routes, pages; then nobody has answered. */
export function createHandler(http: SiteHttp, hooks: Hooks): Handler {
  const { identity, routes, pages } = http.phases;
  return chain([
    ...identity,
    ...(hooks.has("onApiRequest") ? [tellApiRequest(http, hooks)] : []),
    ...routes,
    routesHandler(http.routes),
    (req, _res, next) => {
      if (http.isJson(req)) return next(notFound());
      req.ctx.route = "page";
      next();
    },
    ...pages,
    (req) => {
      if (req.method === "GET" || req.method === "HEAD") throw notFound();
      throw new HttpError(405, "allowed methods: GET, HEAD", { headers: { Allow: "GET, HEAD" } });
    },
  ]);
}

function notFound(): HttpError {
  return new HttpError(404, "Not found");
}

/** Nested names are needed (`facet[template]`); prototypes and endless nesting are not. */
export function parseQuery(text: string): Record<string, unknown> {
  return qs.parse(text, {
    allowPrototypes: false,
    plainObjects: true,
    depth: 3,
    arrayLimit: 50,
    parameterLimit: MOST_PARAMETERS,
  });
}

function tellApiRequest(http: SiteHttp, hooks: Hooks) {
  return async (req: Request, _res: Response, next: NextFunction): Promise<void> => {
    if (http.isJson(req)) await hooks.transform("onApiRequest", { req });
    next();
  };
}
