import type { PageEntry } from "../../content/contract.js";
import { hasListings, listingUrl } from "../reading/listing-pages.js";
import { BareLayout } from "../theme/templates.js";
import { shownLook } from "../theme/theme-settings.js";
import type { TemplateProps } from "../contract.js";
import type { RenderContext, Scope } from "./render-context.js";

const NO_BLOCKS: TemplateProps["blocks"] = Object.freeze({});
const NO_ADJACENT: TemplateProps["adjacent"] = Object.freeze({ before: null, after: null });
const NONE: readonly never[] = Object.freeze([]);

/** Props of every template, with or without a page. */
export async function baseProps(context: RenderContext, scope: Scope): Promise<TemplateProps> {
  const { req, theme, lang, pathname, user, view } = scope;
  const Layout = (await theme.templates.layout()) ?? BareLayout;
  const shared = context.shared.of(theme, lang);
  return {
    page: null,
    pageTitle: shared.site.title,
    site: shared.site,
    config: shared.config,
    nav: view.navTree(lang),
    pathname,
    search: req.ctx.search === "" ? "" : `?${req.ctx.search}`,
    lang,
    dir: shared.dir,
    translations: [],
    modules: [],
    blocks: NO_BLOCKS,
    preset: context.site.settings.site.theme.preset,
    look: shownLook(theme.chain, context.site.settings.site.theme.look),
    listings: hasListings(context.site.settings.site.theme),
    listingUrl: (name, term, inLang) => listingUrl(context, scope, { name, term, lang: inLang }),
    sidebar: NONE,
    adjacent: NO_ADJACENT,
    versions: NONE,
    themeConfig: shared.themeConfig,
    t: shared.t,
    href: shared.href,
    hasPlugin: shared.hasPlugin,
    feeds: context.shared.feeds(lang),
    asset: shared.asset,
    once: scope.parts.once,
    nonce: () => req.ctx.nonce(),
    user,
    siteUser: user,
    Layout,
    head: "",
    // Reserve fields for props that templates add when they pass them on. Adding fields after a
    // spread creates a new hidden class each time (Node 20): 7 µs here, and more on each read.
    kind: undefined,
    children: undefined,
  };
}

/** Adds the props of plugins to those of a page. */
export async function addPluginProps(
  { pageProps }: RenderContext,
  { req, view }: Scope,
  entry: PageEntry,
  props: TemplateProps,
): Promise<void> {
  const { lang, t } = props;
  Object.assign(
    props,
    ...(await pageProps.eachAsync((more) => more({ req, entry, view, lang, t }))),
  );
}

/** Document title: page title, then site name, without repetition. */
export function documentTitle(title: string, site: string): string {
  if (title === "") return site;
  return title === site || title.endsWith(` | ${site}`) ? title : `${title} | ${site}`;
}
