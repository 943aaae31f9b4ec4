import { languageName } from "#theme";
import type { PageView, TemplateProps } from "#theme";

/** Tells readers before the text that it is not translated, or of an older version. */
export function Notices(props: TemplateProps & { page: PageView }) {
  const { page, versions, t } = props;
  const current = versions.find(({ isCurrent }) => isCurrent);
  const latest = versions.find(({ isLatest }) => isLatest);
  return (
    <>
      {page.fallback && <Untranslated {...props} />}
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

/** Names the language of the page, with a link to the page in that language. */
function Untranslated({ page, lang, translations, t }: TemplateProps & { page: PageView }) {
  const text = t(
    "page.untranslated",
    "This page is not available in {lang} yet. You are reading it in {original}.",
  ).replace("{lang}", () => languageName(lang, lang));
  const [before, after = ""] = text.split("{original}");
  const name = languageName(page.lang, lang);
  const original = translations.find((translation) => translation.lang === page.lang);
  return (
    <p class="notice" role="note">
      {before}
      {original === undefined ? (
        name
      ) : (
        <a href={original.url} hreflang={original.lang}>
          {name}
        </a>
      )}
      {after}
    </p>
  );
}
