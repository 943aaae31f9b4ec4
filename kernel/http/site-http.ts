import type { Server } from "node:http";
import type { Duplex } from "node:stream";
import type { Request, Response } from "express";
import {
  expectOneOf,
  nearest,
  expectFields,
  expectKind,
  expectOptional,
  shownValue,
  type ValueCheck,
} from "#lib/values";
import { HttpError, SiteError } from "#lib/errors";
import { CSP_HEADER, expectCsp, formatRoute, matchKey, type SitePath } from "#lib/http";
import type {
  Answer,
  Authorization,
  CspOptions,
  ErrorPage,
  Hooks,
  Http,
  JsonOptions,
  Middleware,
  Phase,
  RouteDefinition,
  RouteDescription,
  RouterOptions,
} from "../contracts.js";
import { callCheck } from "../call-check.js";
import { routeProblem } from "../declarations.js";
import { AnswerWriter, jsonAnswer } from "./response/answer.js";
import { Edge, STAGES } from "./edge.js";
import { replacedOwners, takenRoute, type MountedRouter } from "./route-clashes.js";
import type { OwnedRoute } from "./routes.js";

/** Middleware of a phase; `prefix` null: for every path. */
export interface Mount {
  readonly prefix: string | null;
  readonly handler: Middleware;
  readonly plugin: string;
  /** Sources for the Content-Security-Policy of its responses. */
  readonly csp?: CspOptions | undefined;
}

/** A route or a mount that took the place of another plugin's. */
export interface Replaced {
  /** `GET /api/nav`. */
  readonly route: string;
  readonly by: string;
  readonly of: string;
}

const PHASES = ["identity", "routes", "pages"] as const satisfies readonly Phase[];

const expectHandler = expectKind("function");
const expectPath: ValueCheck = (value) =>
  typeof value === "string" && value.startsWith("/")
    ? null
    : `expected a path such as /shop, received ${shownValue(value)}`;

const assertCall = {
  edge: callCheck(
    "http.edge",
    { stage: expectOneOf(...STAGES), step: expectHandler },
    'http.edge("protect", (req, res) => false)',
  ),
  use: callCheck(
    "http.use",
    { phase: expectOneOf(...PHASES), handler: expectHandler },
    'http.use("identity", (req, res, next) => next())',
  ),
  options: callCheck(
    "http.router",
    {
      options: expectOptional(
        expectFields({
          phase: expectOptional(expectOneOf(...PHASES)),
          override: ["boolean", "nothing"],
        }),
      ),
    },
    'http.router("/shop", express.Router(), { phase: "pages" })',
  ),
  jsonPrefix: callCheck("http.jsonPrefix", { prefix: expectPath }, 'http.jsonPrefix("/shop/api")'),
  filter: callCheck(
    "http.filter",
    { filter: expectHandler },
    "http.filter((req, res, answer) => false)",
  ),
  errorPage: callCheck(
    "http.errorPage",
    { render: expectHandler },
    "http.errorPage((req, error) => null)",
  ),
};

type SiteState = "starting" | "ready" | "draining";

/** Everything plugins have registered for HTTP, and the sender of responses. */
export class SiteHttp {
  /** The path at which the site is served. */
  readonly sitePath: SitePath;
  readonly edge = new Edge();
  readonly writer: AnswerWriter;
  readonly routes: OwnedRoute[] = [];
  /** Index in `routes` of the route that matches the same requests, by `matchKey`. */
  readonly #positions = new Map<string, number>();
  readonly described: (RouteDescription & { plugin: string })[] = [];
  readonly phases: Record<Phase, Mount[]> = { identity: [], routes: [], pages: [] };
  /** Logged once the site has a log. */
  readonly replaced: Replaced[] = [];
  readonly #jsonPrefixes: string[] = [];
  readonly #hooks: Hooks;
  #errorPage: ErrorPage | null = null;
  /** True once the site has begun to close. */
  isDraining = false;
  /** Requests whose responses have not ended. */
  openRequests = 0;
  readonly #routers: MountedRouter[] = [];
  #sealed = false;
  #server: (() => Server | Promise<Server>) | null = null;

  constructor(hooks: Hooks, sitePath: SitePath) {
    this.#hooks = hooks;
    this.sitePath = sitePath;
    this.writer = new AnswerWriter(sitePath);
  }

  /** HTTP as `plugin` sees it. */
  forPlugin(plugin: string): Http {
    return {
      edge: (stage, step) => {
        assertCall.edge(stage, step);
        this.#open(plugin, () => this.edge.add(stage, step));
      },
      use: (phase: Phase, handler: Middleware) => {
        assertCall.use(phase, handler);
        this.#open(plugin, () => this.phases[phase].push({ prefix: null, handler, plugin }));
      },
      router: (prefix, handler, options) =>
        this.#open(plugin, () => this.#mount({ prefix, handler, plugin }, options)),
      route: (definition) => this.#open(plugin, () => this.#addRoute(plugin, definition)),
      describe: (route) => this.#open(plugin, () => this.#describe(plugin, route)),
      jsonPrefix: (prefix) => {
        assertCall.jsonPrefix(prefix);
        this.#open(plugin, () => this.#jsonPrefixes.push(prefix));
      },
      filter: (filter) => {
        assertCall.filter(filter);
        this.#open(plugin, () => this.writer.addFilter(filter));
      },
      send: (req, res, answer) => this.send(req, res, answer),
      json: (req, res, body, options = {}) => this.json(req, res, { body, options }),
      errorPage: (render) => {
        assertCall.errorPage(render);
        this.#open(plugin, () => void (this.#errorPage = render));
      },
      accept: (connection) => this.#accept(connection),
      routes: this.routes,
      described: this.described,
    };
  }

  send(req: Request, res: Response, answer: Answer): void {
    // The connection ends with the response: a client must not send another request on it.
    if (this.isDraining) res.shouldKeepAlive = false;
    const { ctx } = req;
    const policy = ctx.csp && !ctx.hasNonce ? ctx.responseHeaders?.[CSP_HEADER] : undefined;
    // With the response: it may be cached, and is then sent before the route is known.
    const sent =
      policy === undefined
        ? answer
        : { ...answer, headers: { [CSP_HEADER]: policy, ...answer.headers } };
    this.writer.send(req, res, sent);
  }

  /**
   * The kernel's own steps, after the plugins': 503 while starting, except for known early paths;
   * `onRequest` may respond before the response cache.
   */
  addKernelSteps(state: () => SiteState, hooks: Hooks): void {
    this.edge.add("answer", () => {
      if (state() !== "starting") return;
      const headers = { "Retry-After": "1" };
      throw new HttpError(503, "the site is starting", { code: "ERR_SITE_STARTING", headers });
    });
    if (!hooks.has("onRequest")) return;
    this.edge.add("answer", async (req, res) => {
      const { answer } = await hooks.transform("onRequest", { req, answer: null });
      if (answer === null) return false;
      this.send(req, res, answer);
      return true;
    });
  }

  /** Sends JSON; below a JSON prefix `onApiResponse` may change the body first. */
  json(req: Request, res: Response, input: JsonInput): void | Promise<void> {
    const { body, options } = input;
    if (!this.#hooks.has("onApiResponse") || !this.isJson(req)) {
      this.send(req, res, jsonAnswer(body, options));
      return;
    }
    return this.#jsonThroughHook(req, res, input);
  }

  async #jsonThroughHook(req: Request, res: Response, input: JsonInput): Promise<void> {
    const { body, options } = input;
    const status = options.status ?? 200;
    const result = await this.#hooks.transform("onApiResponse", { req, status, body });
    this.send(req, res, this.#changedAnswer(result.status, result.body, input));
  }

  /** The response with what handlers have set, or without, when that is no JSON (a cycle, a big integer). */
  #changedAnswer(status: number, changed: unknown, { body, options }: JsonInput): Answer {
    try {
      return jsonAnswer(changed, { ...options, status });
    } catch (error) {
      this.#hooks.reject("onApiResponse", error);
      return jsonAnswer(body, options);
    }
  }

  /** True below a JSON prefix. */
  isJson(req: Request): boolean {
    const { path } = req.ctx;
    return this.#jsonPrefixes.some((prefix) => path === prefix || path.startsWith(`${prefix}/`));
  }

  errorPage(): ErrorPage | null {
    return this.#errorPage;
  }

  /** Returns the server that receives connections without a port, once it is created. */
  answeredBy(server: () => Server | Promise<Server>): void {
    this.#server = server;
  }

  #accept(connection: Duplex): void {
    const server = this.#server?.();
    if (server instanceof Promise) {
      server.then(
        (created) => created.emit("connection", connection),
        (error: Error) => connection.destroy(error),
      );
    } else server?.emit("connection", connection);
  }

  seal(): void {
    this.#sealed = true;
  }

  #addRoute<Q, B>(plugin: string, definition: RouteDefinition<Q, B>): void {
    assertRoute(plugin, definition, routeProblem(definition));
    // Each route is typed on its own: the list only stores them.
    const route = { ...(definition as unknown as RouteDefinition), plugin };
    const key = matchKey(route);
    const at = this.#positions.get(key) ?? this.routes.length;
    const other = this.routes[at];
    if (other === undefined) {
      this.#positions.set(key, this.routes.length);
      this.routes.push(route);
    } else if (route.override === true) {
      this.routes[at] = route;
      this.replaced.push({ route: formatRoute(other), by: plugin, of: other.plugin });
    } else if (other.override === true) {
      this.replaced.push({ route: formatRoute(route), by: other.plugin, of: plugin });
    } else throw takenRoute(other, route);
  }

  #describe(plugin: string, route: RouteDescription): void {
    assertRoute(plugin, route, routeProblem(route, { isDescribed: true }));
    this.described.push({ ...route, plugin });
  }

  #mount({ prefix, handler, plugin }: Mount, options: RouterOptions = {}): void {
    const wrongPath = expectPath(prefix);
    if (wrongPath !== null || prefix === null || typeof handler !== "function") {
      const what =
        wrongPath === null
          ? `router ${prefix}: expected an Express router or middleware, received ${shownValue(handler)}`
          : `router: ${wrongPath}`;
      throw new SiteError("ERR_ROUTE_INVALID", `plugin "${plugin}": ${what}`, {
        fix: 'http.router("/shop", express.Router())',
      });
    }
    assertCall.options(options);
    const { phase = "routes", override = false, csp } = options;
    const problem = csp === undefined ? null : expectCsp(csp);
    if (problem !== null) {
      throw new SiteError(
        "ERR_ROUTE_INVALID",
        `plugin "${plugin}": router ${prefix}: csp: ${problem}`,
        {
          fix: `http.router(${JSON.stringify(prefix)}, router, { csp: { "img-src": ["https://maps.example"] } })`,
        },
      );
    }
    const mount = { prefix, handler, plugin, csp };
    this.phases[phase].push(mount);
    if (phase !== "routes") return;
    const mounted = new Error(`the router at ${prefix} is mounted here`);
    this.#routers.push({ ...mount, prefix, override, mounted });
  }

  /**
   * Checks, when all plugins are set up, that no path below a router belongs to another plugin, and that
   * permissions can be checked.
   * @throws ERR_ROUTE_DUPLICATE, ERR_ROUTE_PERMISSION naming the plugins.
   */
  assertSound(authorization: Authorization | null): void {
    for (const [at, router] of this.#routers.entries()) {
      const earlier = this.#routers.slice(0, at);
      for (const of of replacedOwners(router, earlier, this.routes)) {
        this.replaced.push({ route: router.prefix, by: router.plugin, of });
      }
    }
    for (const route of [...this.routes, ...this.described]) {
      const problem = permissionProblem(route.permission, authorization);
      if (problem === null) continue;
      throw new SiteError(
        "ERR_ROUTE_PERMISSION",
        `plugin "${route.plugin}" declares ${formatRoute(route)} with the permission ${JSON.stringify(route.permission)}: ${problem.what}`,
        { fix: problem.fix },
      );
    }
  }

  #open(plugin: string, work: () => unknown): void {
    if (this.#sealed) {
      throw new SiteError("ERR_SEALED", `plugin "${plugin}" registers HTTP handlers after setup`, {
        fix: "register routes and middleware in setup",
      });
    }
    work();
  }
}

function permissionProblem(
  permission: string | undefined,
  authorization: Authorization | null,
): { what: string; fix: string } | null {
  if (permission === undefined || permission === "none") return null;
  if (authorization === null) {
    return {
      what: "no selected plugin knows who sends a request",
      fix: 'select the plugin "admin", with `admin.enabled: true`, activate an engine of the slot "authorization", or remove `permission`',
    };
  }
  const { permissions } = authorization;
  if (permission === "any" || permissions.includes(permission)) return null;
  const meant = nearest(permission, permissions);
  return {
    what: "no such permission",
    fix: meant === null ? `use one of ${permissions.join(", ")}` : `did you mean "${meant}"?`,
  };
}

function assertRoute(plugin: string, definition: unknown, problem: string | null): void {
  if (problem === null) return;
  const { method, path } = Object(definition);
  const which = ["route", method, path].filter((part) => typeof part === "string").join(" ");
  throw new SiteError("ERR_ROUTE_INVALID", `plugin "${plugin}": ${which}: ${problem}`, {
    fix: "declare it as { method, path, summary, handler }",
  });
}

interface JsonInput {
  body: unknown;
  options: JsonOptions;
}
