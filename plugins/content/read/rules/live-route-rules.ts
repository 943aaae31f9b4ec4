import {
  expectKind,
  expectValues,
  type ExtensionList,
  type Extensions,
  type SiteContext,
} from "#kernel";
import type { RouteRules } from "../../view/resolve-route.js";
import { toRouteRules } from "./content-rules.js";

/** Plugins whose results are not looked through again while they stay the same. */
const MAX_CHECKED = 8;
const areRedirects = expectValues(expectKind("string"));

/** How paths are routed: the settings, with the redirects that plugins change while the site runs. */
export class LiveRouteRules {
  readonly #site: Pick<SiteContext, "settings">;
  readonly #changes: ExtensionList<Extensions["redirects"]>;
  readonly #onChange: () => void;
  /** The results of plugins that were right, the newest first. */
  #checked: readonly unknown[] = [];
  #redirects: Readonly<Record<string, string>>;
  #rules: RouteRules;

  /** `onChange` is called when the rules differ from those of the last call of `current`. */
  constructor(site: Pick<SiteContext, "settings" | "extensions">, onChange: () => void) {
    this.#site = site;
    this.#changes = site.extensions.open("redirects", {
      check: expectKind("function"),
      result: (redirects) => this.#problemOf(redirects),
    });
    this.#onChange = onChange;
    this.#redirects = site.settings.site.redirects;
    this.#rules = toRouteRules(site.settings, this.#redirects);
  }

  /** Plugins return the same object until the redirects change: it is looked through once. */
  #problemOf(redirects: unknown): string | null {
    if (this.#checked.includes(redirects)) return null;
    const problem = areRedirects(redirects);
    if (problem === null) this.#checked = [redirects, ...this.#checked].slice(0, MAX_CHECKED);
    return problem;
  }

  /** The current rules; the same object until they change. */
  current(): RouteRules {
    const configured: Readonly<Record<string, string>> = this.#site.settings.site.redirects;
    const redirects = this.#changes.chain(configured, (change, before) => change(before));
    if (redirects === this.#redirects) return this.#rules;
    this.#redirects = redirects;
    this.#rules = toRouteRules(this.#site.settings, redirects);
    this.#onChange();
    return this.#rules;
  }
}
