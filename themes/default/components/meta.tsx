import type { PageView, TemplateProps } from "#theme";
import { languageAttributes } from "./prose.js";

/** No service that shows previews reads SVG. */
const IS_VECTOR = /\.svg(?:$|\?)/i;

/** Data of `Meta`. */
export function metaBy({ page, pageTitle, site, asset, lang, look }: TemplateProps): unknown[] {
  if (page === null) return [pageTitle, site, asset, lang, look];
  const { title, date, excerpt, frontmatter, canonical, image, fallback } = page;
  return [
    pageTitle,
    site,
    asset,
    lang,
    look,
    title,
    date,
    excerpt,
    frontmatter,
    canonical,
    image,
    fallback,
    page.html.includes("<img"),
    page.changed,
    page.breadcrumbs,
    page.taxonomy,
    ...(date === null ? [] : (page.article()?.authors ?? []).map(({ name }) => name)),
  ];
}

/** The document head: encoding, description, styles, link previews. */
export function Meta({ page, pageTitle, site, asset, look }: TemplateProps) {
  const pageMetadata = ownMetadata(page);
  const metadata = { description: site.description, ...site.metadata, ...pageMetadata };
  return (
    <>
      <meta charset="utf-8" />
      <meta name="viewport" content="width=device-width, initial-scale=1" />
      <title {...(page !== null && languageAttributes(page))}>{pageTitle}</title>
      {Object.entries(metadata)
        .filter(([, content]) => content !== "")
        .map(([name, content]) => (
          <meta key={name} name={name} content={content} />
        ))}
      <meta name="color-scheme" content="light dark" />
      <meta property="og:site_name" content={site.title} />
      {page !== null && (
        <Shared page={page} description={pageMetadata["description"] ?? ""} site={site} />
      )}
      {/* The site's icon, or the theme's. */}
      <link rel="icon" href="/favicon.ico" sizes="48x48" />
      <link rel="icon" href="/favicon.svg" type="image/svg+xml" />
      <link rel="apple-touch-icon" href="/apple-touch-icon.png" />
      <link rel="stylesheet" href={asset("style.css")} />
      <link rel="stylesheet" href={asset("markdown.css")} />
      {look !== null && <link rel="stylesheet" href={asset(`looks/${look}.css`)} />}
      {/* Not deferred: it sets the colour scheme before the first paint. */}
      <script src={asset("theme.js")} />
      {page?.html.includes("<img") && <script src={asset("lightbox.js")} defer />}
    </>
  );
}

interface SharedProps extends Pick<TemplateProps, "site"> {
  page: PageView;
  description: string;
}

/** Open Graph data for link previews, and the page in the words of schema.org. */
function Shared({ page, description, site }: SharedProps) {
  const cover = page.image !== null && !IS_VECTOR.test(page.image) ? page.image : null;
  const image = absolute(site.url, cover ?? page.card);
  return (
    <>
      <meta property="og:title" content={page.title} />
      <meta property="og:type" content={page.date === null ? "website" : "article"} />
      <meta property="og:locale" content={page.lang} />
      <meta property="og:url" content={page.canonical} />
      {description !== "" && <meta property="og:description" content={description} />}
      <meta property="og:image" content={image} />
      {cover === null && (
        <>
          <meta property="og:image:width" content="1200" />
          <meta property="og:image:height" content="630" />
          <meta property="og:image:alt" content={page.title} />
        </>
      )}
      <meta name="twitter:card" content="summary_large_image" />
      <ArticleData page={page} />
      <StructuredData page={page} site={site} description={description} image={image} />
    </>
  );
}

/** Times and tags of a dated page. */
function ArticleData({ page: { date, changed, taxonomy } }: { page: PageView }) {
  if (date === null) return null;
  return (
    <>
      <meta property="article:published_time" content={date} />
      {changed !== null && <meta property="article:modified_time" content={changed} />}
      {(taxonomy["tag"] ?? []).map((tag) => (
        <meta key={tag} property="article:tag" content={tag} />
      ))}
    </>
  );
}

/** The description: from the front matter, or the excerpt. */
function ownMetadata(page: PageView | null): Readonly<Record<string, string>> {
  if (page === null) return {};
  const { title, excerpt, frontmatter } = page;
  // The excerpt of a page without text is its title, which is already in the head.
  const isSaid = excerpt === "" || excerpt === title;
  const described: Record<string, string> = isSaid ? {} : { description: excerpt };
  return { ...described, ...toMetadata(frontmatter["metadata"]) };
}

function toMetadata(value: unknown): Record<string, string> {
  if (typeof value !== "object" || value === null) return {};
  return Object.fromEntries(
    Object.entries(value).filter(
      (entry): entry is [string, string] => typeof entry[1] === "string",
    ),
  );
}

function absolute(base: string, url: string): string {
  return url.startsWith("/") ? base + url : url;
}

type Input = Pick<TemplateProps, "site"> & { page: PageView; description: string; image: string };

/** The page in the words of schema.org, for search engines: an article or a page, and the way to it. */
function StructuredData(input: Input) {
  const data = { "@context": "https://schema.org", "@graph": [about(input), ...trail(input)] };
  // No script: browsers never run this type, so the Content-Security-Policy does not concern it.
  const text = JSON.stringify(data).replaceAll("<", "\\u003c");
  return <script type="application/ld+json" dangerouslySetInnerHTML={{ __html: text }} />;
}

function about(input: Input) {
  const { page, site, description, image } = input;
  const common = {
    url: page.canonical,
    inLanguage: page.lang,
    ...(description !== "" && { description }),
    ...(image !== "" && { image }),
    ...(page.changed !== null && { dateModified: page.changed }),
  };
  if (page.route === "/") return { "@type": "WebSite", name: site.title, ...common };
  if (page.date !== null) return { ...common, ...posting(page, page.date, site) };
  return page.template === "docs"
    ? { "@type": "TechArticle", headline: page.title, ...common }
    : { "@type": "WebPage", name: page.title, ...common };
}

function posting(page: PageView, date: string, site: Input["site"]) {
  const named = page.article()?.authors.map(({ name }) => name) ?? [];
  const persons = (named.length > 0 ? named : [site.author.name])
    .filter((name) => name !== "")
    .map((name) => ({ "@type": "Person", name }));
  return {
    "@type": "BlogPosting",
    headline: page.title,
    datePublished: date,
    ...(persons.length > 0 && { author: persons.length === 1 ? persons[0] : persons }),
    publisher: { "@type": "Organization", name: site.title },
  };
}

function trail({ page, site }: Input) {
  const { breadcrumbs } = page;
  if (breadcrumbs.length < 2) return [];
  return [
    {
      "@type": "BreadcrumbList",
      itemListElement: breadcrumbs.map(({ title, url }, index) => ({
        "@type": "ListItem",
        position: index + 1,
        name: title,
        item: site.url + url,
      })),
    },
  ];
}
