// Checks every response of a test site against the declaration of its route.
import { Ajv2020, type ValidateFunction } from "ajv/dist/2020.js";
import formats from "ajv-formats";
import type { ZodType } from "zod";
import { type Site, SitePath } from "#kernel";
import {
  Components,
  errorSchema,
  impliedStatuses,
  type DescribedRoute,
} from "../../../plugins/openapi/document.js";
import type { Exchange } from "../servers/watching-proxy.js";

/** Statuses of addresses and methods without a route. */
const WITHOUT_ROUTE = new Set([400, 401, 403, 404, 405, 408, 413, 415, 429, 500, 501, 503]);

/** Statuses of requests rejected before routing: the address is too long. */
const BEFORE_ROUTES = new Set([414]);

interface Matcher {
  method: string;
  pattern: RegExp;
  route: DescribedRoute;
}
interface Seen {
  method: string;
  path: string;
  status: number;
  /** Parsed; undefined for invalid JSON. */
  body: unknown;
}

const ajv = new Ajv2020({ strict: false, allErrors: true });
formats.default(ajv);
const validators = new WeakMap<ZodType, ValidateFunction>();
// Each site creates equal schemas; cache the compiled ones, which are expensive.
const compiled = new Map<string, ValidateFunction>();

/** Collects every undeclared response: an unknown status, another shape, no route. */
export class ResponseCheck {
  readonly problems: string[] = [];
  readonly #site: Site;
  readonly #undeclared: boolean;
  #matchers: Matcher[] | null = null;

  constructor(site: Site, { undeclared }: { undeclared: boolean }) {
    this.#site = site;
    this.#undeclared = undeclared;
  }

  /** @throws Error with the mismatches since the last call. */
  assertNone(): void {
    const problems = [...new Set(this.problems.splice(0))];
    if (problems.length === 0) return;
    throw new Error(`responses that do not match their declaration:\n  ${problems.join("\n  ")}`);
  }

  /** Checks what went over the wire. */
  readonly check = ({ method, target, status, json }: Exchange): void => {
    const [path = "/"] = this.#inside(target).split("?");
    const body: unknown = json === "" || method === "HEAD" ? undefined : JSON.parse(json);
    const seen = { method, path, status, body };
    const problem = this.#problemOf(seen);
    if (problem !== null) this.problems.push(`${method} ${path} → ${status}: ${problem}`);
  };

  /** Routes are declared without the path of `site.url`. */
  #inside(target: string): string {
    return new SitePath(this.#site.context("test").settings.site.url).inside(target);
  }

  #problemOf(seen: Seen): string | null {
    const route = this.#routeOf(seen);
    if (route === undefined) return this.#undeclared ? null : withoutRoute(seen);
    // A route of a plugin under test; another test covers the first-party ones.
    if (route.responses === undefined && route.hidden !== true) return null;
    if (route.hidden === true) return seen.status < 400 ? hidden(seen) : withoutRoute(seen);
    const { responses = {} } = route;
    const schema = responses[seen.status];
    if (BEFORE_ROUTES.has(seen.status)) return withoutRoute(seen);
    const isImplied = impliedStatuses(route).includes(seen.status);
    if (schema === undefined && !isImplied) return "the status is not declared";
    // A plugin under test may have changed the body through its hook.
    if (seen.body === undefined || this.#site.context("test").hooks.has("onApiResponse"))
      return null;
    if (schema === undefined || schema === null) {
      return seen.status < 400 ? "no JSON body is declared" : mismatch(errorSchema, seen.body);
    }
    const isError = seen.status >= 400 && mismatch(errorSchema, seen.body) === null;
    return isError ? null : mismatch(schema, seen.body);
  }

  #routeOf({ method, path }: Seen): DescribedRoute | undefined {
    const wanted = method === "HEAD" ? "get" : method.toLowerCase();
    this.#matchers ??= this.#allRoutes().map((route) => ({
      method: route.method,
      pattern: patternOf(route.path),
      route,
    }));
    return this.#matchers.find((at) => at.method === wanted && at.pattern.test(path))?.route;
  }

  #allRoutes(): DescribedRoute[] {
    const { routes, described } = this.#site.context("test").http;
    return [...routes, ...described];
  }
}

function withoutRoute({ status, body }: Seen): string | null {
  if (body === undefined) return null;
  if (!WITHOUT_ROUTE.has(status) && status < 400) return "no route is declared";
  return mismatch(errorSchema, body);
}

function hidden({ body }: Seen): string | null {
  return body === undefined ? null : "a hidden route answers JSON";
}

function mismatch(schema: ZodType, body: unknown): string | null {
  const validate = validatorOf(schema);
  if (validate(body)) return null;
  const errors = (validate.errors ?? []).slice(0, 4).map(({ instancePath, message, params }) => {
    return `${instancePath || "the body"} ${message} ${JSON.stringify(params)}`;
  });
  return `${errors.join("; ")}; received ${JSON.stringify(body).slice(0, 300)}`;
}

function validatorOf(schema: ZodType): ValidateFunction {
  const known = validators.get(schema);
  if (known !== undefined) return known;
  const components = new Components();
  const made = components.schema(schema, "output");
  const text = JSON.stringify({ ...made, components: { schemas: components.schemas } });
  const validate = compiled.get(text) ?? ajv.compile(JSON.parse(text));
  compiled.set(text, validate);
  validators.set(schema, validate);
  return validate;
}

/** Express's path as a regular expression: `:name` is a segment, `*name` one or more. */
function patternOf(path: string): RegExp {
  const source = path
    .replace(/[.*+?^${}()|[\]\\]/g, (character) => (character === "*" ? "*" : `\\${character}`))
    .replace(/:\w+/g, "[^/]+")
    .replace(/\*\w+/g, ".+");
  return new RegExp(`^${source}$`, "s");
}
