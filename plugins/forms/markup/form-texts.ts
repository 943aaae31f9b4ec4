/** Texts for visitors, from the theme. */
import type { SiteContext } from "#kernel";
import type { TemplateProps } from "../../render/contract.js";

/** Texts and languages of forms. */
export class FormTexts {
  readonly #site: SiteContext;

  constructor(site: SiteContext) {
    this.#site = site;
  }

  /** The texts in a language; English ones without a theme. */
  of(lang: string): TemplateProps["t"] {
    const render = this.#site.use("render", { optional: true });
    return render?.texts(lang) ?? ((key, fallback) => fallback ?? key);
  }

  /** The language of a page by its path. */
  langOf(page: string): string {
    const { addresses, languages } = this.#site.use("content");
    return (page === "" ? null : addresses.parse(page).lang) ?? languages.main;
  }
}
