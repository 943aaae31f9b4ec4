import { formatDate } from "#theme";
import type { PageView, TemplateProps } from "#theme";

/** When the page changed last, and where to change it; nothing when neither is known. */
export function PageFacts({
  page,
  lang,
  t,
}: Pick<TemplateProps, "lang" | "t"> & { page: PageView }) {
  const { changed, editUrl } = page;
  if (changed === null && editUrl === null) return null;
  return (
    <footer class="page-facts">
      {changed !== null && (
        <p>
          {t("page.changed", "Last change:")}{" "}
          <time dateTime={changed}>{formatDate(changed, lang, "medium")}</time>
        </p>
      )}
      {editUrl !== null && (
        <p>
          <a href={editUrl}>{t("page.edit", "Edit this page")}</a>
        </p>
      )}
    </footer>
  );
}
