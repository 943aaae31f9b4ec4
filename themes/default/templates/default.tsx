import { Breadcrumbs, Pagination } from "#theme";
import type { TemplateProps } from "#theme";
import { Comments } from "../components/comments.js";
import { Notices } from "../components/notices.js";
import { hasModules, PageList } from "../components/page-list.js";
import { opensWithHero, PageModules } from "../components/page-modules.js";
import { Prose, Title } from "../components/prose.js";
import { ShownFields } from "../components/field-values.js";

/** A page of text, or of modules. */
export default function Default(props: TemplateProps) {
  const { Layout, page, collection, t, lang, once } = props;
  if (page === null) return <Layout {...props} />;
  return (
    <Layout {...props} kind="text">
      {!opensWithHero({ ...props, page }) && (
        <article class="wrap column">
          <Notices {...props} page={page} />
          {once(
            "text",
            [page.title, page.html, page.fallback, page.breadcrumbs, page.shown, t],
            () => (
              <>
                <header class="page-header">
                  {page.breadcrumbs.length > 2 && (
                    <Breadcrumbs
                      items={page.breadcrumbs}
                      label={t("nav.breadcrumbs", "Breadcrumbs")}
                    />
                  )}
                  <Title page={page} />
                </header>
                <ShownFields page={page} lang={lang} />
                <Prose page={page} eager />
              </>
            ),
          )}
        </article>
      )}
      <PageModules {...props} />
      {props.comments !== undefined && (
        <div class="wrap column">
          <Comments {...props} />
        </div>
      )}
      {collection !== undefined && !hasModules(collection) && (
        <div class="wrap column">
          <section class="listing" aria-label={t("list.label", "Pages")}>
            <PageList items={collection.items} lang={lang} t={t} isColumn />
            <Pagination collection={collection} t={t} />
          </section>
        </div>
      )}
    </Layout>
  );
}
