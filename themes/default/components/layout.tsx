import { inLanguage, type TemplateProps } from "#theme";
import type { ComponentChildren } from "preact";
import { Icon } from "./icon.js";
import { Meta, metaBy } from "./meta.js";
import { headerBy, SiteHeader } from "./site-header.js";

interface LayoutProps extends TemplateProps {
  /** Class of the body: the kind of page. */
  kind?: string;
  children?: ComponentChildren;
}

/** The layout of all pages. */
export default function Layout(props: LayoutProps) {
  const { lang, dir, t, kind, preset, children, hasPlugin, once } = props;
  return (
    <html lang={lang} dir={dir}>
      <head>
        {once("meta", metaBy(props), () => (
          <Meta {...props} />
        ))}
      </head>
      <body
        class={kind === undefined ? `preset-${preset}` : `page-${kind} preset-${preset}`}
        data-copy={t("code.copy", "Copy")}
        data-copied={t("code.copied", "Copied")}
        data-enlarge={t("image.enlarge", "Enlarge image")}
        data-close={t("image.close", "Close")}
      >
        <a class="skip" href="#:content">
          {t("nav.skip", "Skip to content")}
        </a>
        {once("header", headerBy(props), () => (
          <SiteHeader {...props} />
        ))}
        {/* This id cannot collide with a heading. */}
        <main id=":content" tabindex={-1}>
          {children}
        </main>
        {once("footer", [...footerBy(props), hasPlugin("search"), lang], () => (
          <>
            <SiteFooter {...props} />
            <SearchDialog {...props} />
          </>
        ))}
      </body>
    </html>
  );
}

/** Data of the footer. */
function footerBy({ site, nav, href, t, themeConfig, feeds }: TemplateProps): unknown[] {
  return [site, nav, href, t, themeConfig, feeds];
}

/** Site name, sections and feed. */
function SiteFooter({ site, nav, href, t, themeConfig, feeds }: TemplateProps) {
  const text = themeConfig["footer"];
  const sections = nav.filter((item) => item.route !== "/");
  return (
    <footer class="site-footer">
      <div class="wrap">
        <div class="about">
          <p class="footer-title">{site.title}</p>
          {site.description !== "" && <p>{site.description}</p>}
          {typeof text === "string" && text !== "" && <p>{text}</p>}
        </div>
        {sections.length > 0 && (
          <nav aria-label={t("nav.footer", "Sections")}>
            <ul>
              {sections.map((item) => (
                <li key={item.route}>
                  <a href={href(item.route)} {...inLanguage(item.lang)}>
                    {item.title}
                  </a>
                </li>
              ))}
              {feeds !== null && (
                <li>
                  <a href={feeds}>
                    <Icon name="feed" /> {t("footer.feed", "Feed")}
                  </a>
                </li>
              )}
            </ul>
          </nav>
        )}
      </div>
    </footer>
  );
}

/** The script of the search dialog, with its texts. Search works without it. */
function SearchDialog({ hasPlugin, themeConfig, t, asset, href, lang }: TemplateProps) {
  if (!hasPlugin("search") || themeConfig["show_search"] === false) return null;
  const src = asset("search-dialog.js");
  return (
    <script
      type="module"
      data-search-dialog=""
      src={src}
      data-src={src.replace(/\?.*$/, "")}
      data-page={href("/search")}
      data-lang={lang}
      data-label={t("search.label", "Search")}
      data-results={t("search.results", "Results")}
      data-similar={t("search.similar", "Similar words")}
      data-suggested={t("search.suggested", "Suggestions")}
      data-meant={t("search.meant", "Did you mean:")}
      data-recent={t("search.recent", "Recent searches")}
      data-clear={t("search.clear", "Clear recent searches")}
      data-close={t("search.close", "Close")}
      data-keys={t("search.keys", "↑ ↓ to choose, Enter to open, Esc to close")}
      data-failed={t("search.failed", "Search is not available at the moment.")}
      data-none={t("search.none", "Nothing found for “{q}”")}
      data-one={t("search.one", "1 result for “{q}”")}
      data-many={t("search.many", "{n} results for “{q}”")}
    />
  );
}
