import { Breadcrumbs, type PageView, Pagination, type TemplateProps } from "#theme";
import { Comments } from "../components/comments.js";
import { Neighbours, PageFacts } from "../components/article-parts.js";
import { Notices } from "../components/notices.js";
import { hasModules, PageList } from "../components/page-list.js";
import { PageModules } from "../components/page-modules.js";
import { languageAttributes, Prose, Title } from "../components/prose.js";
import { DocsBar, Sidebar } from "../components/sidebar.js";

/** A documentation page: all pages on one side, the headings on the other. */
export default function Docs(props: TemplateProps) {
  const { Layout, page, sidebar, versions, collection, t, lang, once } = props;
  if (page === null) return <Layout {...props} />;
  const hasContents = listContents(page).length > 0;
  const sizes = textSizes({ hasNav: sidebar.length > 0, hasContents });
  return (
    <Layout {...props} kind="docs">
      {(sidebar.length > 0 || hasContents) && <DocsBar t={t} hasContents={hasContents} />}
      <div class={sidebar.length > 0 ? "wrap docs" : "wrap docs no-nav"}>
        {sidebar.length > 0 &&
          once("docs-nav", [sidebar, page.route, t, ...versions.map(({ url }) => url)], () => (
            <Sidebar sidebar={sidebar} versions={versions} t={t} current={page.route} />
          ))}
        <article class="docs-page">
          <Notices {...props} page={page} />
          {once(
            "docs-text",
            [page.title, page.html, page.fallback, page.breadcrumbs, sizes, t],
            () => (
              <>
                <header class="page-header">
                  <Breadcrumbs
                    items={page.breadcrumbs}
                    label={t("nav.breadcrumbs", "Breadcrumbs")}
                  />
                  <Title page={page} />
                </header>
                <Prose page={page} sizes={sizes} eager />
              </>
            ),
          )}
          <PageModules {...props} />
          {collection !== undefined && !hasModules(collection) && (
            <section class="listing" aria-label={t("list.label", "Pages")}>
              <PageList items={collection.items} lang={lang} t={t} />
              <Pagination collection={collection} t={t} />
            </section>
          )}
          <PageFacts page={page} lang={lang} t={t} />
          <Comments {...props} />
          <Neighbours
            label={t("docs.neighbours", "Previous and next page")}
            {...props.adjacent}
            words={[t("docs.previous", "Previous"), t("docs.next", "Next")]}
          />
        </article>
        {once("contents", [page.headings, page.fallback, t], () => (
          <Contents page={page} t={t} />
        ))}
      </div>
    </Layout>
  );
}

/** `sizes` of images: the text is at most 46rem wide, less beside the pages and the headings. */
function textSizes({ hasNav, hasContents }: { hasNav: boolean; hasContents: boolean }): string {
  const isNarrow = "(max-width: 50rem) 92vw";
  if (!hasNav) return `${isNarrow}, 46rem`;
  const besideNav = `${isNarrow}, (max-width: 56rem) 46rem, (max-width: 70rem) calc(88vw - 15.5rem)`;
  if (!hasContents) return `${besideNav}, 46rem`;
  return `${besideNav}, (max-width: 76rem) 46rem, (max-width: 88rem) calc(92vw - 34.5rem), 46rem`;
}

interface ContentsProps {
  page: PageView;
  t: TemplateProps["t"];
}

/** The headings that a list of contents names. */
function listContents(page: PageView) {
  const headings = page.headings.filter(
    ({ level, text }) => (level === 2 || level === 3) && text !== "",
  );
  return headings.length < 2 ? [] : headings;
}

/**
 * Links to the headings of a page, beside its text; on narrow screens a list that its button opens.
 * Nothing for fewer than two.
 */
function Contents({ page, t }: ContentsProps) {
  const headings = listContents(page);
  if (headings.length === 0) return null;
  return (
    <nav
      class="contents"
      id=":contents"
      popover="auto"
      aria-label={t("page.contents", "On this page")}
    >
      <p class="contents-title">{t("page.contents", "On this page")}</p>
      <ol {...languageAttributes(page)}>
        {headings.map(({ id, level, text }) => (
          <li key={id} class={level === 3 ? "deeper" : undefined}>
            <a href={`#${id}`}>{text}</a>
          </li>
        ))}
      </ol>
    </nav>
  );
}
