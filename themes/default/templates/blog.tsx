import { Html, Pagination } from "#theme";
import type { TemplateProps } from "#theme";
import { PageModules } from "../components/page-modules.js";
import { PageList } from "../components/page-list.js";
import { hasOwnTitle, languageAttributes } from "../components/prose.js";

/** A list of articles, newest first. */
export default function Blog(props: TemplateProps) {
  const { Layout, page, collection, t, lang } = props;
  if (page === null) return <Layout {...props} />;
  const isFirst = (collection?.page ?? 1) === 1;
  return (
    <Layout {...props} kind="blog">
      <div class="wrap">
        <header class="page-header">
          {!hasOwnTitle(page) && <h1 {...languageAttributes(page)}>{page.title}</h1>}
          <Html class="prose lede" html={page.html} {...languageAttributes(page)} />
        </header>
        <PageModules {...props} />
        <PageList items={collection?.items ?? []} lang={lang} t={t} lead={isFirst} />
        {collection !== undefined && <Pagination collection={collection} t={t} />}
        <ListLinks {...props} />
      </div>
    </Layout>
  );
}

/** The lists of terms and years, and the feed. */
function ListLinks({ site, preset, feeds, t, listings, listingUrl }: TemplateProps) {
  if (!listings || preset === "site") return null;
  const archive = listingUrl("archive");
  return (
    <p class="list-links">
      {archive !== null && <a href={archive}>{t("listing.archive", "Archive")}</a>}
      {site.taxonomies.map((name) => {
        const url = listingUrl(name);
        return (
          url !== null && (
            <a key={name} href={url} class="listing-title">
              {t(`listing.taxonomy.${name}`, name)}
            </a>
          )
        );
      })}
      {feeds !== null && <a href={feeds}>{t("footer.feed", "Feed")}</a>}
    </p>
  );
}
