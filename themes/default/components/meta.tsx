import type { TemplateProps } from "#theme";

/** What stands in the head: encoding, description, styles, what others show when they link here. */
export function Meta({ page, pageTitle, site, asset, lang }: TemplateProps) {
  const description = page?.excerpt || site.description;
  const image = page?.image ?? null;
  return (
    <>
      <meta charset="utf-8" />
      <meta name="viewport" content="width=device-width, initial-scale=1" />
      <title>{pageTitle}</title>
      {description !== "" && <meta name="description" content={description} />}
      {Object.entries({ ...site.metadata, ...metadataOf(page?.frontmatter["metadata"]) }).map(
        ([name, content]) => (
          <meta key={name} name={name} content={content} />
        ),
      )}
      <meta name="color-scheme" content="light dark" />
      <meta property="og:site_name" content={site.title} />
      <meta property="og:title" content={page?.title ?? pageTitle} />
      <meta property="og:type" content={page?.date ? "article" : "website"} />
      <meta property="og:locale" content={lang} />
      {page !== null && <meta property="og:url" content={page.canonical} />}
      {description !== "" && <meta property="og:description" content={description} />}
      {image !== null && <meta property="og:image" content={absolute(site.url, image)} />}
      <link rel="icon" href={asset("favicon.svg")} type="image/svg+xml" />
      <link rel="stylesheet" href={asset("style.css")} />
      {/* Not deferred: it sets the chosen colours before the first paint. */}
      <script src={asset("theme.js")} />
    </>
  );
}

function metadataOf(value: unknown): Record<string, string> {
  if (typeof value !== "object" || value === null) return {};
  return Object.fromEntries(
    Object.entries(value).filter((entry): entry is [string, string] => typeof entry[1] === "string"),
  );
}

function absolute(base: string, url: string): string {
  return url.startsWith("/") ? base + url : url;
}
