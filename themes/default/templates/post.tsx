import { Breadcrumbs, formatDate, Picture } from "#theme";
import type { PageView, TemplateProps } from "#theme";
import { hasOwnTitle, Prose, Title } from "../components/prose.js";
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
            <p class="lede">{page.frontmatter["summary"]}</p>
          )}
          <Byline {...props} page={page} />
        </header>
        {page.image !== null && (
          <Picture class="cover" src={page.image} alt={coverAlt(page)} eager />
        )}
        <Prose page={page} />
        <footer class="page-footer">
          <Tags {...props} page={page} />
        </footer>
      </article>
    </Layout>
  );
}

function Byline({ page, site, lang, t }: TemplateProps & { page: PageView }) {
  const own = page.frontmatter["author"];
  const author = typeof own === "string" ? own : site.author.name;
  const minutes = Math.max(1, Math.round(wordsIn(page.html) / WORDS_PER_MINUTE));
  return (
    <p class="facts">
      {page.date !== null && <time dateTime={page.date}>{formatDate(page.date, lang)}</time>}
      {author !== "" && <span>{author}</span>}
      <span>{t("page.minutes", "{n} min read").replace("{n}", String(minutes))}</span>
    </p>
  );
}

function wordsIn(html: string): number {
  return html.replace(/<[^>]*>/g, " ").split(/\s+/).length;
}

function coverAlt(page: PageView): string {
  const alt = page.media.find((item) => item.url === page.image)?.meta["alt"];
  return typeof alt === "string" ? alt : "";
}
