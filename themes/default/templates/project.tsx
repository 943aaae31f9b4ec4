import { Breadcrumbs, Picture } from "#theme";
import type { MediaView, PageView, TemplateProps } from "#theme";
import { Comments } from "../components/comments.js";
import { toAlt, Cover } from "../components/cover.js";
import { ShownFields } from "../components/field-values.js";
import { PageModules } from "../components/page-modules.js";
import { languageAttributes, Prose, Title } from "../components/prose.js";
import { Tags } from "../components/tags.js";
import { toText } from "../components/values.js";

const COVER_SIZES = "(max-width: 78rem) 92vw, 72rem";
/** Two pictures a row; one on narrow screens. */
const PICTURE_SIZES = "auto, (max-width: 46rem) 92vw, (max-width: 78rem) 46vw, 35rem";

/** A project: a wide picture, facts beside the text, and the other pictures of its folder as a gallery. */
export default function Project(props: TemplateProps) {
  const { Layout, page, t, lang } = props;
  if (page === null) return <Layout {...props} />;
  const summary = toText(page.frontmatter["summary"]);
  const pictures = otherPictures(page);
  return (
    <Layout {...props} kind="project">
      <article class="wrap">
        <header class="page-header">
          <Breadcrumbs items={page.breadcrumbs} label={t("nav.breadcrumbs", "Breadcrumbs")} />
          <Title page={page} />
          {summary !== "" && (
            <p class="lede" {...languageAttributes(page)}>
              {summary}
            </p>
          )}
        </header>
        <Cover page={page} class="cover" sizes={COVER_SIZES} />
        <div class="project-body">
          <aside class="project-facts">
            <ShownFields page={page} lang={lang} />
            <Tags {...props} page={page} />
          </aside>
          <Prose page={page} />
        </div>
        <PageModules {...props} />
        {pictures.length > 0 && (
          <ul class="gallery project-pictures" aria-label={t("page.pictures", "Images")}>
            {pictures.map((item) => (
              <li key={item.name}>
                <ProjectPicture item={item} />
              </li>
            ))}
          </ul>
        )}
        <Comments {...props} />
      </article>
    </Layout>
  );
}

/** The pictures that `gallery` names, in its order; without it, those that neither the top nor the text shows. */
function otherPictures({ media, image, html, frontmatter: { gallery } }: PageView): MediaView[] {
  const pictures = media.filter(({ type }) => type.startsWith("image/"));
  if (!Array.isArray(gallery))
    return pictures.filter(({ url }) => url !== image && !html.includes(url));
  return gallery.flatMap((name: unknown) => pictures.find((item) => item.name === name) ?? []);
}

function ProjectPicture({ item }: { item: MediaView }) {
  const caption = toText(item.meta["caption"]);
  return (
    <figure>
      <Picture
        src={item.url}
        alt={toAlt(item.meta["alt"])}
        attributes={item.attributes}
        sizes={PICTURE_SIZES}
      />
      {caption !== "" && <figcaption>{caption}</figcaption>}
    </figure>
  );
}
