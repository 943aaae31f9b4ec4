import type { ComponentChildren } from "preact";
import type { TemplateProps } from "#theme";
import { Meta, metaBy } from "./meta.js";
import { SearchDialog } from "./search-dialog.js";
import { footerBy, SiteFooter } from "./site-footer.js";
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
