import type { PageView, TemplateProps } from "#theme";

/** Data of `Meta`. */
export function metaBy({ page, pageTitle, site, asset, lang }: TemplateProps): unknown[] {
  if (page === null) return [pageTitle, site, asset, lang];
  const { title, date, excerpt, frontmatter, canonical, image } = page;
  return [pageTitle, site, asset, lang, title, date, excerpt, frontmatter, canonical, image];
}

/** The document head: encoding, description, styles, link previews. */
export function Meta({ page, pageTitle, site, asset, lang }: TemplateProps) {
  const own = ownMetadata(page);
  const metadata = { description: site.description, ...site.metadata, ...own };
  return (
    <>
      <meta charset="utf-8" />
      <meta name="viewport" content="width=device-width, initial-scale=1" />
      <title>{pageTitle}</title>
      {Object.entries(metadata)
        .filter(([, content]) => content !== "")
        .map(([name, content]) => (
          <meta key={name} name={name} content={content} />
        ))}
      <meta name="color-scheme" content="light dark" />
      <meta property="og:site_name" content={site.title} />
      {page !== null && (
        <Shared page={page} description={own["description"] ?? ""} base={site.url} lang={lang} />
      )}
      {/* The site's icon, or the theme's. */}
      <link rel="icon" href="/favicon.svg" type="image/svg+xml" />
      <link rel="stylesheet" href={asset("style.css")} />
      <link rel="stylesheet" href={asset("markdown.css")} />
      {/* Not deferred: it sets the colour scheme before the first paint. */}
      <script src={asset("theme.js")} />
    </>
  );
}

interface SharedProps {
  page: PageView;
  description: string;
  base: string;
  lang: string;
}

/** Open Graph data for link previews. */
function Shared({ page, description, base, lang }: SharedProps) {
  return (
    <>
      <meta property="og:title" content={page.title} />
      <meta property="og:type" content={page.date === null ? "website" : "article"} />
      <meta property="og:locale" content={lang} />
      <meta property="og:url" content={page.canonical} />
      {description !== "" && <meta property="og:description" content={description} />}
      {page.image !== null && <meta property="og:image" content={absolute(base, page.image)} />}
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
  return { ...described, ...metadataOf(frontmatter["metadata"]) };
}

function metadataOf(value: unknown): Record<string, string> {
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
