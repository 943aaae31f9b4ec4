import { formatDate, Pagination } from "#theme";
import type { ListingTemplateProps } from "#theme";
import { Icon } from "../components/icon.js";
import { PageList } from "../components/page-list.js";

/** The pages with a term, of an author, or of all years; or all terms of a taxonomy. */
export default function Listing(props: ListingTemplateProps) {
  const { Layout, listing, collection, t, lang } = props;
  return (
    <Layout {...props} kind="listing">
      <div class="wrap">
        <header class="page-header">
          <Heading {...props} />
        </header>
        {listing.kind === "terms" && <Terms {...props} />}
        {listing.kind === "archive" && <Years {...props} />}
        {collection !== undefined && (
          <>
            <PageList items={collection.items} lang={lang} t={t} />
            <Pagination collection={collection} t={t} />
          </>
        )}
      </div>
    </Layout>
  );
}

function Heading({ listing, t, href, feeds, collection }: ListingTemplateProps) {
  const { kind, name, value } = listing;
  if (kind === "archive") return <h1>{t("listing.archive", "Archive")}</h1>;
  const taxonomy =
    name === "author" ? t("article.author", "Author") : t(`listing.taxonomy.${name}`, name);
  if (kind === "terms") return <h1 class="listing-title">{taxonomy}</h1>;
  const count = t("listing.count", "{n} pages").replace("{n}", String(collection?.total ?? 0));
  return (
    <>
      <p class="kicker">{kind === "term" ? <a href={href(`/${name}`)}>{taxonomy}</a> : taxonomy}</p>
      <h1>{value}</h1>
      <p class="facts">
        <span>{count}</span>
        {kind === "term" && feeds !== null && (
          <span>
            <a class="with-icon" href={href(`/taxonomy/${name}/${value}/feed.xml`)}>
              <Icon name="feed" /> {t("footer.feed", "Feed")}
            </a>
          </span>
        )}
      </p>
    </>
  );
}

function Terms({ listing }: ListingTemplateProps) {
  return (
    <ul class="term-list">
      {listing.terms.map(({ value, url, count }) => (
        <li key={value}>
          <a href={url}>
            <span>{value}</span> <span class="count">{count}</span>
          </a>
        </li>
      ))}
    </ul>
  );
}

function Years({ listing, lang }: ListingTemplateProps) {
  return (
    <>
      {listing.years.map(({ year, pages }) => (
        <section key={year} class="year" aria-labelledby={`:year-${year}`}>
          <h2 id={`:year-${year}`}>{year}</h2>
          <ul class="year-list">
            {pages.map(({ title, url, date }) => (
              <li key={url}>
                <time dateTime={date}>{formatDate(date, lang, "medium")}</time>
                <a href={url}>{title}</a>
              </li>
            ))}
          </ul>
        </section>
      ))}
    </>
  );
}
