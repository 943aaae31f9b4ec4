/** Finds routes that take precedence over pages, and the pages that they hide. */
import { type SiteContext, expectKind, type ExtensionList, type Extensions } from "#kernel";
import type { FindProblems } from "../index/content-index.js";
import type { RouteRules } from "../view/resolve-route.js";
import { RouteClaims } from "./route-claims.js";
import { unreachable, type ClaimOf } from "./unreachable.js";

/** Looks up the declared routes of a site. */
export class Reachability {
  /** Problems of pages, aliases and redirects of an index. */
  readonly problems: FindProblems;
  readonly #site: SiteContext;
  readonly #others: ExtensionList<Extensions["routeClaims"]>;
  #claims: RouteClaims | null = null;

  /** `rules` returns the rules at the time of the check. */
  constructor(site: SiteContext, rules: () => RouteRules) {
    this.#site = site;
    this.#others = site.extensions.open("routeClaims", {
      check: expectKind("function"),
      result: expectKind("string", "null"),
    });
    this.problems = (index) =>
      unreachable({ index, rules: rules(), claimOf: this.#currentClaims() });
  }

  /** The route that answers a decoded path; null when pages answer. */
  claimOf(path: string): string | null {
    return this.#currentClaims()(path);
  }

  /** `claimOf` for many paths. */
  #currentClaims(): ClaimOf {
    const declared = (this.#claims ??= this.#newClaims());
    return (path) =>
      declared.claimOf(path) ??
      this.#others.each((claimOf) => claimOf(path)).find((claim) => claim !== null) ??
      null;
  }

  #newClaims(): RouteClaims {
    const { http, settings } = this.#site;
    const hasPanel = this.#site.runtime.plugins().some(({ name }) => name === "admin");
    return new RouteClaims(http, hasPanel ? settings.admin.path : null);
  }
}
