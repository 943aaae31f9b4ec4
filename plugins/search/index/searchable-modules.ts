import type { SiteContext } from "#kernel";
import type { Generation, PageEntry } from "../../content/contract.js";
import { accessKey } from "./documents.js";

const NONE: readonly PageEntry[] = Object.freeze([]);

/** Finds the modules whose texts are searched as part of their page. */
export class SearchableModules {
  readonly #site: Pick<SiteContext, "use">;
  #generation: Generation | null = null;
  #hasAny = false;

  constructor(site: Pick<SiteContext, "use">) {
    this.#site = site;
  }

  /** The modules that everybody sees who sees the page: without roles, or with those of the page. */
  of(page: PageEntry): readonly PageEntry[] {
    if (!this.#exist()) return NONE;
    const roles = page.roles === null ? null : [...page.roles.all, ...page.roles.any];
    const view = this.#site.use("content").view({ roles, seesUnpublished: false });
    const own = accessKey(page.roles);
    return view.modules(page).filter(({ roles: rule }) => ["", own].includes(accessKey(rule)));
  }

  /** Most sites have no modules, and this is called for every page. */
  #exist(): boolean {
    const generation = this.#site.use("content").generation();
    if (generation === this.#generation) return this.#hasAny;
    this.#generation = generation;
    this.#hasAny = generation.entries.some(({ isModule }) => isModule);
    return this.#hasAny;
  }
}

/** Differs when a module or the order of modules does. */
export function partsPrint(parts: readonly PageEntry[]): string {
  return parts.map(({ sourcePath, hash }) => `${sourcePath} ${hash.slice(0, 20)}`).join("\n");
}
