import type { PageView, TemplateProps } from "#theme";

type Input = Pick<TemplateProps, "site"> & { page: PageView; description: string; image: string };

/** The page in the words of schema.org, for search engines: an article or a page, and the way to it. */
export function StructuredData(input: Input) {
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
  const author = page.article()?.author?.name ?? site.author.name;
  return {
    "@type": "BlogPosting",
    headline: page.title,
    datePublished: date,
    ...(author !== "" && { author: { "@type": "Person", name: author } }),
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
