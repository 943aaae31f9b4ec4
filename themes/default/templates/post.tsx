import { Breadcrumbs, formatDate, inLanguage } from "#theme";
import type { ArticleView, PageView, TemplateProps } from "#theme";
import {
  AuthorBox,
  Avatar,
  Neighbours,
  PageFacts,
  Related,
  Series,
  Subscribe,
} from "../components/article-parts.js";
import { Comments } from "../components/comments.js";
import { Cover } from "../components/cover.js";
import { Notices } from "../components/notices.js";
import { PageModules } from "../components/page-modules.js";
import { hasOwnTitle, languageAttributes, Prose, TEXT_SIZES, Title } from "../components/prose.js";
import { ShownFields } from "../components/field-values.js";
import { Tags } from "../components/tags.js";

const WORDS_PER_MINUTE = 220;

/** A dated article. */
export default function Post(props: TemplateProps) {
  const { Layout, page, t } = props;
  if (page === null) return <Layout {...props} />;
  const article = page.article();
  const authors = article?.authors ?? [];
  return (
    <Layout {...props} kind="post">
      <article class="wrap column">
        <Notices {...props} page={page} />
        <header class="page-header">
          <Breadcrumbs
            items={page.breadcrumbs.slice(0, -1)}
            label={t("nav.breadcrumbs", "Breadcrumbs")}
          />
          <Title page={page} />
          {typeof page.frontmatter["summary"] === "string" && !hasOwnTitle(page) && (
            <p class="lede" {...languageAttributes(page)}>
              {page.frontmatter["summary"]}
            </p>
          )}
          <Byline {...props} page={page} authors={authors} />
        </header>
        <Cover page={page} class="cover" sizes={TEXT_SIZES} />
        <Series series={article?.series() ?? null} t={t} />
        <ShownFields page={page} lang={props.lang} />
        <Prose page={page} eager={page.image === null} />
        <PageModules {...props} />
        <After {...props} page={page} authors={authors} />
      </article>
    </Layout>
  );
}

/** The end of a post: terms, author, facts, and where to read on. */
function After(props: TemplateProps & { page: PageView; authors: ArticleView["authors"] }) {
  const { page, authors, t, lang, preset } = props;
  return (
    <>
      <footer class="page-footer">
        <Tags {...props} page={page} />
      </footer>
      {authors.map((author) => (
        <AuthorBox key={author.name} author={author} t={t} />
      ))}
      <PageFacts page={page} lang={lang} t={t} />
      <Around page={page} t={t} />
      <Related pages={page.article()?.related() ?? []} t={t} />
      <Comments {...props} />
      {preset === "blog" && <Subscribe {...props} />}
    </>
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

function Byline({
  page,
  site,
  lang,
  t,
  authors,
}: TemplateProps & { page: PageView; authors: ArticleView["authors"] }) {
  const minutes = Math.max(1, Math.round(countWords(page.html) / WORDS_PER_MINUTE));
  return (
    <div class="byline">
      {authors.map((author) => (
        <Avatar key={author.name} author={author} />
      ))}
      <p class="facts">
        {authors.map((author) => (
          <span key={author.name} {...inLanguage(author.lang)}>
            {author.url === null ? author.name : <a href={author.url}>{author.name}</a>}
          </span>
        ))}
        {authors.length === 0 && site.author.name !== "" && <span>{site.author.name}</span>}
        {page.date !== null && <time dateTime={page.date}>{formatDate(page.date, lang)}</time>}
        <span>{t("page.minutes", "{n} min read").replace("{n}", String(minutes))}</span>
      </p>
    </div>
  );
}

/** Words of a text; a character of Chinese or Japanese counts half, because no spaces part words. */
function countWords(html: string): number {
  const text = html.replace(/<[^>]*>/g, " ");
  const full = text.match(/[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]/gu)?.length ?? 0;
  return text.split(/\s+/).length + full / 2;
}
