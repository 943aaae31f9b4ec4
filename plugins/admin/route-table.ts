import { SiteError, type RouteDefinition } from "#kernel";
import type { AdminDocument, AdminPage, AdminRouteInfo, Permission } from "./contract.js";

/** A route as the guard sees it. */
export interface GuardedRoute extends AdminRouteInfo {
  readonly method: RouteDefinition["method"];
  readonly permission: Permission | "any" | "none";
  /** True for routes with the CSRF token in the form field `_csrf`. */
  readonly isForm: boolean;
  /** True for pages: without a session they redirect to the login page. */
  readonly isPage: boolean;
  /** True for routes that tokens cannot use. */
  readonly sessionOnly: boolean;
}

/** All routes below `{admin.path}`; any other path there is denied unless signed in. */
export class RouteTable {
  readonly path: string;
  readonly routes: GuardedRoute[] = [];
  readonly pages: AdminPage[] = [];
  /** The application in the browser; null without one. */
  document: AdminDocument | null = null;
  /** Requests whose response has a content security policy of its own. No cache: one per request. */
  readonly policies = new WeakMap<object, string>();

  constructor(path: string) {
    this.path = path;
  }

  /** @throws ERR_ADMIN_ROUTE for a method and path that already exist. */
  add(route: GuardedRoute): void {
    const isSame = ({ method, path }: GuardedRoute): boolean =>
      method === route.method && path === route.path;
    if (this.routes.some(isSame)) {
      const name = `${route.method.toUpperCase()} ${route.path}`;
      throw new SiteError("ERR_ADMIN_ROUTE", `${name} already exists`, {
        fix: "choose another path",
      });
    }
    this.routes.push(route);
  }

  /** True for the prefix and paths below it, but not for `/administrivia`. */
  covers(path: string): boolean {
    return path === this.path || path.startsWith(`${this.path}/`);
  }
}
