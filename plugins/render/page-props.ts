import type { ComponentType } from "preact";
import type { SiteSettings } from "#kernel";
import type {} from "../feeds/contract.js";
import { BareLayout } from "./bare-layout.js";
import type { SitePublic, TemplateProps } from "./contract.js";
import type { House, Scope } from "./house.js";
import { hrefIn } from "./languages.js";
import { directionOf } from "./strings.js";

/** Props every template has, with or without a page. */
export async function baseProps(house: House, scope: Scope): Promise<TemplateProps> {
  const { req, theme, lang, user, view } = scope;
  const { settings } = house.site;
  const site = toSitePublic(settings.site);
  const active = new Set(
    house.site.plugins().flatMap((plugin) => (plugin.state === "active" ? [plugin.name] : [])),
  );
  const Layout: ComponentType<Record<string, unknown>> =
    (await theme.templates.layout()) ?? BareLayout;
  return {
    page: null,
    pageTitle: site.title,
    site,
    config: { site, theme: theme.config },
    nav: view.navTree(lang),
    pathname: req.ctx.path ?? "/",
    search: req.ctx.search === "" ? "" : `?${req.ctx.search}`,
    lang,
    dir: directionOf(lang),
    translations: [],
    themeConfig: theme.config,
    t: theme.strings.of(lang),
    href: hrefIn(lang, settings.system.languages),
    hasPlugin: (name) => active.has(name),
    feeds: active.has("feeds") && settings.site.feed.enabled ? "/feed.xml" : null,
    asset: (path) => theme.assets.url(path),
    nonce: () => req.ctx.nonce(),
    user,
    siteUser: user,
    Layout,
    head: "",
  };
}

/** The part of the settings that is everybody's. */
export function toSitePublic(site: SiteSettings): SitePublic {
  const { title, description, url, metadata, taxonomies } = site;
  return { title, description, url, author: { name: site.author.name }, metadata, taxonomies };
}

/** Title of a document: what it is, then whose; the site's name once. */
export function documentTitle(title: string, site: string): string {
  if (title === "") return site;
  return title === site || title.endsWith(` | ${site}`) ? title : `${title} | ${site}`;
}
