import express, { type Express, type NextFunction, type Request, type Response } from "express";
import qs from "qs";
import type { Hooks, Settings } from "../contracts.js";
import { HttpError } from "../errors.js";
import { errorHandler } from "./error-handler.js";
import { routesHandler } from "./routes.js";
import type { SiteHttp } from "./site-http.js";

/** Most query parameters that are read. */
const MOST_PARAMETERS = 100;

/** The Express app of a site: identity, routes, pages, then the error handler. */
export function createApp(http: SiteHttp, options: { settings: Settings; hooks: Hooks }): Express {
  const app = express();
  app.disable("x-powered-by");
  app.disable("etag");
  app.set("trust proxy", options.settings.system.server.trust_proxy);
  app.set("query parser", parseQuery);
  for (const handler of http.phases.identity) app.use(handler);
  if (options.hooks.has("onApiRequest")) app.use(tellApiRequest(http, options.hooks));
  for (const handler of http.phases.routes) app.use(handler);
  app.use(routesHandler(http.routes));
  app.use((req, _res, next) => next(http.isJson(req) ? notFound() : undefined));
  for (const handler of http.phases.pages) app.use(handler);
  app.use((req) => {
    if (req.method === "GET" || req.method === "HEAD") throw notFound();
    throw new HttpError(405, "allowed methods: GET, HEAD", { headers: { Allow: "GET, HEAD" } });
  });
  const send = http.send.bind(http);
  const isJson = http.isJson.bind(http);
  app.use(errorHandler({ http: { send }, isJson, page: () => http.errorPage() }));
  return app;
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
