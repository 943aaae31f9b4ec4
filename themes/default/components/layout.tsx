import type { ComponentChildren } from "preact";
import type { TemplateProps } from "#theme";
import { Meta } from "./meta.js";
import { SiteFooter } from "./site-footer.js";
import { SiteHeader } from "./site-header.js";

interface LayoutProps extends TemplateProps {
  /** Class of the body: which kind of page this is. */
  kind?: string;
  children?: ComponentChildren;
}

/** The frame of every page. */
export default function Layout(props: LayoutProps) {
  const { lang, dir, t, kind, children } = props;
  return (
    <html lang={lang} dir={dir}>
      <head>
        <Meta {...props} />
      </head>
      <body
        class={kind === undefined ? undefined : `page-${kind}`}
        data-copy={t("code.copy", "Copy")}
        data-copied={t("code.copied", "Copied")}
      >
        <a class="skip" href="#:content">
          {t("nav.skip", "Skip to content")}
        </a>
        <SiteHeader {...props} />
        {/* An id that no heading of a page can get. */}
        <main id=":content" tabindex={-1}>
          {children}
        </main>
        <SiteFooter {...props} />
      </body>
    </html>
  );
}
