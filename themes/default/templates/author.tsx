import { Pagination } from "#theme";
import type { TemplateProps } from "#theme";
import { Cover } from "../components/cover.js";
import { Notices } from "../components/notices.js";
import { PageList } from "../components/page-list.js";
import { Prose, Title } from "../components/prose.js";

/** A person, and the articles that name this page as their author. */
export default function Author(props: TemplateProps) {
  const { Layout, page, collection, t, lang } = props;
  if (page === null) return <Layout {...props} />;
  const { summary } = page.frontmatter;
  return (
    <Layout {...props} kind="author">
      <article class="wrap">
        <Notices {...props} page={page} />
        <header class="page-header author-header">
          <Cover page={page} class="author-image" sizes="8rem" />
          <div>
            <Title page={page} />
            {typeof summary === "string" && <p class="lede">{summary}</p>}
          </div>
        </header>
        <Prose page={page} />
        {collection !== undefined && (
          <section class="listing" aria-label={t("list.label", "Pages")}>
            <PageList items={collection.items} lang={lang} t={t} />
            <Pagination collection={collection} t={t} />
          </section>
        )}
      </article>
    </Layout>
  );
}
