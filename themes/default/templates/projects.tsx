import { Html, Pagination, Picture } from "#theme";
import type { CollectionItemView, TemplateProps } from "#theme";
import { PageModules } from "../components/page-modules.js";
import { hasOwnTitle, languageAttributes } from "../components/prose.js";

/** One, two or three pictures a row. */
const TILE_SIZES = "(max-width: 40rem) 92vw, (max-width: 62rem) 45vw, 23rem";

/** Projects as a grid of pictures: the children of the page, in the order of their folders. */
export default function Projects(props: TemplateProps) {
  const { Layout, page, collection, t } = props;
  if (page === null) return <Layout {...props} />;
  const items = collection?.items ?? [];
  return (
    <Layout {...props} kind="projects">
      <div class="wrap">
        <header class="page-header">
          {!hasOwnTitle(page) && <h1 {...languageAttributes(page)}>{page.title}</h1>}
          <Html class="prose lede" html={page.html} {...languageAttributes(page)} />
        </header>
        <PageModules {...props} />
        {items.length === 0 ? (
          <p class="empty">{t("list.empty", "Nothing here yet.")}</p>
        ) : (
          <ul class="tiles">
            {items.map((item, index) => (
              <Tile key={item.route} item={item} eager={index === 0} />
            ))}
          </ul>
        )}
        {collection !== undefined && <Pagination collection={collection} t={t} />}
      </div>
    </Layout>
  );
}

function Tile({ item, eager }: { item: CollectionItemView; eager: boolean }) {
  return (
    <li class="tile" {...languageAttributes(item)}>
      {item.image === null ? (
        <span class="tile-image" />
      ) : (
        <Picture
          class="tile-image"
          src={item.image}
          alt=""
          attributes={item.imageAttributes}
          sizes={eager ? TILE_SIZES : `auto, ${TILE_SIZES}`}
          eager={eager}
        />
      )}
      <h2>
        <a href={item.url}>{item.title}</a>
      </h2>
      {item.excerpt !== "" && <p>{item.excerpt}</p>}
    </li>
  );
}
