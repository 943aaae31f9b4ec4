import { Breadcrumbs, formatDate } from "#theme";
import type { PageView, TemplateProps } from "#theme";
import { Cover } from "../components/cover.js";
import { linkedText } from "../components/linked-text.js";
import { Neighbours } from "../components/neighbours.js";
import { PageModules } from "../components/page-modules.js";
import { hasOwnTitle, languageOf, Prose, Title } from "../components/prose.js";
import { Tags } from "../components/tags.js";

const WORDS_PER_MINUTE = 220;

/** A dated article. */
export default function Post(props: TemplateProps) {
  const { Layout, page, t } = props;
  if (page === null) return <Layout {...props} />;
  return (
    <Layout {...props} kind="post">
      <article class="wrap column">
        <header class="page-header">
          <Breadcrumbs
            items={page.breadcrumbs.slice(0, -1)}
            label={t("nav.breadcrumbs", "Breadcrumbs")}
          />
          <Title page={page} />
          {typeof page.frontmatter["summary"] === "string" && !hasOwnTitle(page) && (
            <p class="lede" {...languageOf(page)}>
              {page.frontmatter["summary"]}
            </p>
          )}
          <Byline {...props} page={page} />
        </header>
        <Cover page={page} class="cover" sizes="(max-width: 48rem) 100vw, 48rem" />
        <Prose page={page} />
        <PageModules {...props} />
        <footer class="page-footer">
          <Tags {...props} page={page} />
        </footer>
        <Around page={page} t={t} />
      </article>
    </Layout>
  );
}

/** The previous and the next article. */
function Around({ page, t }: { page: PageView; t: TemplateProps["t"] }) {
  const { older, newer } = page.neighbours();
  return (
    <Neighbours
      label={t("docs.neighbours", "Previous and next page")}
      before={older}
      after={newer}
      words={[t("pagination.older", "Older"), t("pagination.newer", "Newer")]}
    />
  );
}

function Byline({ page, site, lang, t }: TemplateProps & { page: PageView }) {
  const { frontmatter: data, relations } = page;
  const author = linkedText({ data, relations }, "author") ?? (site.author.name || null);
  const minutes = Math.max(1, Math.round(wordsIn(page.html) / WORDS_PER_MINUTE));
  return (
    <p class="facts">
      {page.date !== null && <time dateTime={page.date}>{formatDate(page.date, lang)}</time>}
      {author !== null && <span>{author}</span>}
      <span>{t("page.minutes", "{n} min read").replace("{n}", String(minutes))}</span>
    </p>
  );
}

function wordsIn(html: string): number {
  return html.replace(/<[^>]*>/g, " ").split(/\s+/).length;
}
