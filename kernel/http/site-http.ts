import type { Server } from "node:http";
import type { Request, Response } from "express";
import type {
  Answer,
  ErrorPage,
  Hooks,
  Http,
  JsonOptions,
  Middleware,
  Phase,
  RouteDefinition,
  RouteDescription,
} from "../contracts.js";
import { HttpError, SiteError } from "../errors.js";
import { AnswerWriter, jsonAnswer } from "./response/answer.js";
import type { SitePath } from "./address/site-path.js";
import { Edge } from "./edge.js";
import type { OwnedRoute } from "./routes.js";

/** Middleware of a phase; `prefix` null: for every path. */
export interface Mount {
  readonly prefix: string | null;
  readonly handler: Middleware;
}

type SiteState = "starting" | "ready" | "draining";

/** Everything plugins have registered for HTTP, and the sender of responses. */
export class SiteHttp {
  /** Where the site is served. */
  readonly sitePath: SitePath;
  readonly edge = new Edge();
  readonly writer: AnswerWriter;
  readonly routes: OwnedRoute[] = [];
  readonly described: (RouteDescription & { plugin: string })[] = [];
  readonly phases: Record<Phase, Mount[]> = { identity: [], routes: [], pages: [] };
  readonly #jsonPrefixes: string[] = [];
  readonly #hooks: Hooks;
  #errorPage: ErrorPage | null = null;
  /** True once the site has begun to close. */
  isDraining = false;
  /** Requests whose responses have not ended. */
  openRequests = 0;
  #sealed = false;
  #server: Server | null = null;

  constructor(hooks: Hooks, sitePath: SitePath) {
    this.#hooks = hooks;
    this.sitePath = sitePath;
    this.writer = new AnswerWriter(sitePath);
  }

  /** HTTP as `plugin` sees it. */
  forPlugin(plugin: string): Http {
    return {
      edge: (stage, step) => this.#open(plugin, () => this.edge.add(stage, step)),
      use: (phase: Phase, handler: Middleware) =>
        this.#open(plugin, () => this.phases[phase].push({ prefix: null, handler })),
      router: (prefix, handler, { phase = "routes" } = {}) =>
        this.#open(plugin, () => this.phases[phase].push({ prefix, handler })),
      route: (definition) => this.#open(plugin, () => this.#addRoute(plugin, definition)),
      describe: (route) => this.#open(plugin, () => this.described.push({ ...route, plugin })),
      jsonPrefix: (prefix) => this.#open(plugin, () => this.#jsonPrefixes.push(prefix)),
      filter: (filter) => this.#open(plugin, () => this.writer.addFilter(filter)),
      send: (req, res, answer) => this.send(req, res, answer),
      // oxlint-disable-next-line max-params -- three, then one options object
      json: (req, res, body, options) => this.json(req, res, jsonAnswerInput(body, options)),
      errorPage: (render) => this.#open(plugin, () => void (this.#errorPage = render)),
      accept: (connection) => void this.#server?.emit("connection", connection),
      routes: this.routes,
      described: this.described,
    };
  }

  send(req: Request, res: Response, answer: Answer): void {
    // The connection ends with the response: a client must not send another request on it.
    if (this.isDraining) res.shouldKeepAlive = false;
    this.writer.send(req, res, answer);
  }

  /**
   * The kernel's own steps, after the plugins': 503 while starting, except for known early paths;
   * `onRequest` may respond before the response cache.
   */
  addKernelSteps({ state, hooks }: { state: () => SiteState; hooks: Hooks }): void {
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
    this.send(req, res, this.#changedAnswer(result, input));
  }

  /** The response with what handlers have set, or without, when that is no JSON (a cycle, a big integer). */
  #changedAnswer(changed: { status: number; body: unknown }, { body, options }: JsonInput): Answer {
    try {
      return jsonAnswer(changed.body, { ...options, status: changed.status });
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

  /** The server that receives connections without a port. */
  answeredBy(server: Server): void {
    this.#server = server;
  }

  seal(): void {
    this.#sealed = true;
  }

  #addRoute<Q, B>(plugin: string, definition: RouteDefinition<Q, B>): void {
    // Each route is typed on its own: the list only stores them.
    this.routes.push({ ...(definition as unknown as RouteDefinition), plugin });
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

interface JsonInput {
  body: unknown;
  options: JsonOptions;
}

function jsonAnswerInput(body: unknown, options: JsonOptions = {}): JsonInput {
  return { body, options };
}
