import {
  HttpError,
  SiteError,
  type Handler,
  type Http,
  type RouteDefinition,
  withoutSlash,
} from "#kernel";
import { chooseEncoding } from "#lib/http";
import type { AccountServices } from "./accounts/account-services.js";
import {
  toWriteRights,
  assertAt,
  assertEverywhere,
  isLimited,
  mayAt,
  narrowed,
  readPaths,
} from "./accounts/rights.js";
import type { AuditLog } from "./audit-log.js";
import type {
  AdminAsset,
  AdminDocument,
  AdminIdentity,
  AdminPage,
  AdminRoute,
  AdminRouteInfo,
  AdminService,
  ApiTokens,
  AuditEvent,
} from "./contract.js";
import type { Guard } from "./middleware.js";
import { contentPath } from "./write/page-source.js";
import type { Identities } from "./accounts/identities.js";
import type { GuardedRoute, RouteTable } from "./route-table.js";
import { IMMUTABLE } from "./admin-headers.js";

type Req = Parameters<Handler>[0];
type Res = Parameters<Handler>[1];

/** Dependencies of the service. */
export interface ServiceDeps {
  http: Http;
  table: RouteTable;
  guard: Guard;
  identities: Identities;
  audit: AuditLog;
  tokens: ApiTokens;
  account: Pick<AccountServices, "totp">;
  /** Reads the pages at these paths that were written since the index has read them. */
  catchUp(paths: readonly string[]): Promise<void>;
  /** Responds with a plugin's page in the panel's frame. */
  showPage(req: Req, res: Res, page: AdminPage, identity: AdminIdentity): Promise<void>;
  /** Responds with the application. */
  showDocument(req: Req, res: Res, document: AdminDocument): Promise<void>;
}
/** Input of a handler of the panel. */
interface PanelInput<B> {
  body: B;
  params: Record<string, string>;
}
/** A route of the panel: HTML, or a form that redirects. */
export interface PanelRoute<B = unknown> {
  method: "get" | "post";
  /** Below `{admin.path}`. */
  path: string;
  permission: GuardedRoute["permission"];
  summary: string;
  body?: RouteDefinition<unknown, B>["body"];
  /** Documents a route that programs use too: the API documentation includes it. */
  responses?: RouteDefinition["responses"];
  handler(req: Req, res: Res, input: PanelInput<B>): unknown;
}

/** The admin API; every added route is guarded. */
export class Admin implements AdminService {
  readonly path: string;
  readonly tokens: ApiTokens;
  readonly #parts: ServiceDeps;

  constructor(parts: ServiceDeps) {
    this.path = parts.table.path;
    this.tokens = parts.tokens;
    this.#parts = parts;
  }

  get routes(): readonly AdminRouteInfo[] {
    return this.#parts.table.routes.map(({ method, path, permission, summary }) => ({
      method,
      path,
      permission,
      summary,
    }));
  }

  route<Q, B>(route: AdminRoute<Q, B>): void {
    const { permission, summary, method, query, body, responses, tool, handler } = route;
    const { sessionOnly = false } = route;
    const { http, guard } = this.#parts;
    const path = `${this.path}/api${route.path}`;
    const entry = {
      method,
      path,
      permission,
      summary,
      isForm: false,
      isPage: false,
      sessionOnly,
    };
    this.#parts.table.add(entry);
    http.route<Q, B>({
      method,
      path,
      summary,
      tag: "admin",
      permission,
      ...(query && { query }),
      ...(body && { body }),
      ...(responses && { responses }),
      ...(tool && { tool }),
      handler: async (req, res, input) => {
        const named = route.paths === "own" ? [] : (route.paths?.(input) ?? readPaths(input));
        const identity = this.#scoped(route, named, guard.admitted(req, entry));
        await this.#parts.catchUp(named.map(contentPath));
        await handler(req, res, { ...input, identity });
      },
    });
  }

  /** The identity with the permissions that its roles give for the paths that the request names. */
  #scoped<Q, B>(
    { permission, paths }: AdminRoute<Q, B>,
    named: readonly string[],
    identity: AdminIdentity,
  ): AdminIdentity {
    if (!isLimited(identity) || paths === "own") return identity;
    if (permission === "any") return narrowed(identity, named);
    if (named.length === 0 && paths === undefined) assertEverywhere(identity, permission);
    return assertAt(identity, permission, named);
  }

  page(page: AdminPage): void {
    const { table, guard, http, showPage } = this.#parts;
    const { permission, label } = page;
    const path = `${this.path}${page.path}`;
    const entry = {
      method: "get",
      path,
      permission,
      summary: label,
      isForm: false,
      isPage: true,
      sessionOnly: false,
    } as const;
    table.add(entry);
    table.pages.push(page);
    http.route({
      method: "get",
      path,
      summary: label,
      tag: "admin",
      hidden: true,
      handler: (req, res) => showPage(req, res, page, guard.admitted(req, entry)),
    });
  }

  /**
   * Adds a route of the panel itself; forms of a session carry the CSRF token in the field `_csrf`.
   */
  panel<B>(route: PanelRoute<B>): void {
    const { method, permission, summary, body, responses, handler } = route;
    const path = `${this.path}${route.path}`;
    const entry = {
      method,
      path,
      permission,
      summary,
      isForm: true,
      isPage: true,
      sessionOnly: false,
    };
    this.#parts.table.add(entry);
    this.#parts.http.route<unknown, B>({
      method,
      path,
      summary,
      tag: "admin",
      permission,
      hidden: responses === undefined,
      ...(body && { body }),
      ...(responses && { responses }),
      handler: (req, res, input) => {
        if (permission === "none") return handler(req, res, input);
        const { guard } = this.#parts;
        const identity = guard.admitted(req, entry);
        guard.assertForm(req, identity);
        const named = readPaths({ ...input, query: {} });
        if (permission !== "any" && named.length > 0) assertAt(identity, permission, named);
        return handler(req, res, input);
      },
    });
  }

  document(document: AdminDocument): void {
    const { table, showDocument } = this.#parts;
    if (table.document !== null) {
      throw new SiteError("ERR_ADMIN_ROUTE", "the panel already has a document", {
        fix: "select one panel plugin",
      });
    }
    table.document = document;
    for (const path of document.paths) {
      this.panel({
        method: "get",
        path,
        permission: "any",
        summary: "A screen of the panel",
        handler: (req, res) => showDocument(req, res, document),
      });
      this.panel({
        method: "get",
        path: `${path}/`,
        permission: "any",
        summary: "The address of a screen with a trailing slash",
        handler: (req, res) => this.#parts.http.send(req, res, withoutSlash(req)),
      });
    }
  }

  assets(folder: string, find: (name: string) => Promise<AdminAsset | null>): void {
    const { http } = this.#parts;
    this.panel({
      method: "get",
      path: `/assets/${folder}/:name`,
      permission: "none",
      summary: `Files of ${folder}`,
      handler: async (req, res, { params }) => {
        const asset = await find(params["name"] ?? "");
        if (asset === null) throw new HttpError(404, "Not found");
        const { type, body, brotli } = asset;
        if (brotli !== undefined && chooseEncoding(req.headers["accept-encoding"]) === "br") {
          const headers = { ...IMMUTABLE, "Content-Encoding": "br" };
          http.send(req, res, { type, body: brotli, headers });
        } else http.send(req, res, { type, body, headers: IMMUTABLE });
      },
    });
  }

  menu(identity: AdminIdentity): readonly { path: string; label: string }[] {
    return this.#parts.table.pages
      .filter(({ permission }) => permission === "any" || identity.permissions.has(permission))
      .map(({ path, label }) => ({ path: `${this.path}${path}`, label }));
  }

  audit(event: AuditEvent): void {
    this.#parts.audit.write(event);
  }

  removeTotp(userId: string): Promise<boolean> {
    return this.#parts.account.totp.remove(userId);
  }

  identity(req: Req): AdminIdentity | null {
    return this.#parts.identities.of(req);
  }

  mayRead(identity: AdminIdentity, sourcePath: string | null): boolean {
    return mayAt(identity, "pages.read", sourcePath);
  }

  readonly rightsOf = toWriteRights;
}
