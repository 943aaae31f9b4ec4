import type { SiteContext, SiteSettings } from "#kernel";
import type {} from "../../feeds/contract.js";
import type { ActiveTheme } from "../theme/active-theme.js";
import type { SitePublic, TemplateProps } from "../contract.js";
import { hrefBelow } from "./url.js";
import { textDirection } from "../theme/strings.js";

/** Props that do not depend on the request. */
export type CommonProps = Pick<
  TemplateProps,
  "site" | "config" | "themeConfig" | "dir" | "t" | "href" | "hasPlugin" | "asset"
>;

/**
 * Props that all pages of a theme in one language share: the same frozen objects on each page,
 * because cached markup is found by their identity.
 */
export class SharedProps {
  readonly #site: SiteContext;
  readonly #public: SitePublic;
  // Not in site.cache: the props live with their theme, and their identity counts.
  readonly #byTheme = new WeakMap<ActiveTheme, Map<string, CommonProps>>();
  #active: ReadonlySet<string> | null = null;

  constructor(site: SiteContext) {
    this.#site = site;
    this.#public = Object.freeze(toSitePublic(site.settings.site));
  }

  of(theme: ActiveTheme, lang: string): CommonProps {
    let byLang = this.#byTheme.get(theme);
    if (byLang === undefined) this.#byTheme.set(theme, (byLang = new Map()));
    const cached = byLang.get(lang);
    if (cached !== undefined) return cached;
    const props = this.#make(theme, lang);
    byLang.set(lang, props);
    return props;
  }

  #make(theme: ActiveTheme, lang: string): CommonProps {
    const themeConfig = Object.freeze({ ...theme.config });
    const { addresses } = this.#site.use("content");
    return {
      site: this.#public,
      config: Object.freeze({ site: this.#public, theme: themeConfig }),
      themeConfig,
      dir: textDirection(lang),
      t: theme.strings.of(lang),
      href: hrefBelow(
        lang,
        (other) => addresses.prefixOf(other),
        this.#site.settings.system.languages.supported,
      ),
      hasPlugin: this.hasPlugin,
      asset: (path) => theme.assets.url(path),
    };
  }

  /** True when a plugin is selected and running. */
  readonly hasPlugin = (name: string): boolean => this.#plugins().has(name);

  /** Plugins only fail during startup; afterwards the list is constant. */
  #plugins(): ReadonlySet<string> {
    if (this.#active !== null) return this.#active;
    const active = this.#site.runtime.plugins().filter(({ state }) => state === "active");
    const names = new Set(active.map(({ name }) => name));
    if (this.#site.lifecycle.state() !== "starting") this.#active = names;
    return names;
  }

  /** Address of the site's feed in a language. */
  feeds(lang: string): string | null {
    if (!this.hasPlugin("feeds") || !this.#site.settings.site.feed.enabled) return null;
    return `${this.#site.use("content").addresses.rootOf(lang)}/feed.xml`;
  }
}

/** The public part of the settings. */
export function toSitePublic(site: SiteSettings): SitePublic {
  const { title, description, url, metadata, taxonomies, author } = site;
  return { title, description, url, author: { name: author.name }, metadata, taxonomies };
}
