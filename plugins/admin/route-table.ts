import { SiteError, type RouteDefinition } from "#kernel";
import type { AdminPage, AdminRouteInfo, Permission } from "./contract.js";

/** A route as the guard sees it. */
export interface GuardedRoute extends AdminRouteInfo {
  readonly method: RouteDefinition["method"];
  readonly permission: Permission | "any" | "none";
  /** True for routes whose form carries the CSRF token in field `_csrf`. */
  readonly isForm: boolean;
  /** True for pages: a missing session leads to the login page. */
  readonly isPage: boolean;
}

/** Everything below `{admin.path}`: what is not in here is refused to whoever has not signed in. */
export class RouteTable {
  readonly path: string;
  readonly routes: GuardedRoute[] = [];
  readonly pages: AdminPage[] = [];

  constructor(path: string) {
    this.path = path;
  }

  /** @throws ERR_ADMIN_ROUTE for a method and path that are there already. */
  add(route: GuardedRoute): void {
    const isSame = ({ method, path }: GuardedRoute): boolean =>
      method === route.method && path === route.path;
    if (this.routes.some(isSame)) {
      const name = `${route.method.toUpperCase()} ${route.path}`;
      throw new SiteError("ERR_ADMIN_ROUTE", `${name} is there already`, {
        fix: "choose another path",
      });
    }
    this.routes.push(route);
  }

  /** True for the prefix and what lies below it, not for `/administrivia`. */
  covers(path: string): boolean {
    return path === this.path || path.startsWith(`${this.path}/`);
  }
}
