import { Breadcrumbs, Picture } from "#theme";
import type { TemplateProps } from "#theme";
import { Comments } from "../components/comments.js";
import { toAlt, Cover } from "../components/cover.js";
import { GALLERY_SIZES } from "../components/module-parts.js";
import { PageModules } from "../components/page-modules.js";
import { Prose, Title } from "../components/prose.js";
import { Tags } from "../components/tags.js";

/** `sizes` of the cover, and of images in the text beside it. */
const BESIDE_IMAGE = "(max-width: 52rem) 92vw, 34.5rem";

/** A project, product or recipe, with its image next to the text. */
export default function Item(props: TemplateProps) {
  const { Layout, page, t } = props;
  if (page === null) return <Layout {...props} />;
  const pictures = page.media.filter(
    (item) => item.type.startsWith("image/") && item.url !== page.image,
  );
  return (
    <Layout {...props} kind="item">
      <article class="wrap">
        <header class="page-header">
          <Breadcrumbs items={page.breadcrumbs} label={t("nav.breadcrumbs", "Breadcrumbs")} />
        </header>
        <div class="item-grid">
          <Cover page={page} class="item-image" sizes={BESIDE_IMAGE} />
          <div class="item-text">
            <Title page={page} />
            <Tags {...props} page={page} />
            <Prose page={page} sizes={BESIDE_IMAGE} />
          </div>
        </div>
        <PageModules {...props} />
        {pictures.length > 1 && (
          <ul class="gallery" aria-label={t("page.pictures", "Images")}>
            {pictures.map((item) => (
              <li key={item.name}>
                <Picture
                  src={item.url}
                  alt={toAlt(item.meta["alt"])}
                  attributes={item.attributes}
                  sizes={GALLERY_SIZES}
                />
              </li>
            ))}
          </ul>
        )}
        <Comments {...props} />
      </article>
    </Layout>
  );
}
