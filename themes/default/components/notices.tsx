import { languageName } from "#theme";
import type { PageView, TemplateProps } from "#theme";

/** What readers should know before the text: it is not translated, or of an older version. */
export function Notices({ page, lang, versions, t }: TemplateProps & { page: PageView }) {
  const current = versions.find(({ isCurrent }) => isCurrent);
  const latest = versions.find(({ isLatest }) => isLatest);
  return (
    <>
      {page.fallback && (
        <p class="notice" role="note">
          {t(
            "page.untranslated",
            "This page is not available in {lang} yet. You are reading it in {original}.",
          )
            .replace("{lang}", () => languageName(lang, lang))
            .replace("{original}", () => languageName(page.lang, lang))}
        </p>
      )}
      {current !== undefined && !current.isLatest && latest !== undefined && (
        <p class="notice" role="note">
          {t("docs.old", "This is the documentation of {version}.").replace(
            "{version}",
            () => current.title,
          )}{" "}
          <a href={latest.url}>
            {t("docs.latest", "Go to {version}").replace("{version}", () => latest.title)}
          </a>
        </p>
      )}
    </>
  );
}
