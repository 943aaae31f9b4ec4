import { Fragment, type VNode } from "preact";
import type { PageRow } from "../api/answers.js";
import { editPath, href } from "../app/router.js";
import { languageName, t } from "../app/texts.js";

interface LanguageMarksProps {
  page: PageRow;
  /** 0, or -1 for links that the Tab key passes over. */
  tabIndex?: number;
}

/** The languages of a page in a list; each leads to its file. Null for a page in one language. */
export function LanguageMarks({ page, tabIndex }: LanguageMarksProps): VNode | null {
  const { title } = page;
  const languages = shownLanguages(page);
  if (languages.length === 0) return null;
  return (
    <span class="language-marks">
      {languages.map(({ lang, sourcePath }) => (
        <Fragment key={lang}>
          <a
            class="language-mark"
            href={href(editPath(sourcePath))}
            lang={lang}
            title={languageName(lang)}
            aria-label={t("language.open", { code: lang, title, language: languageName(lang) })}
            tabIndex={tabIndex}
            data-screen
          >
            {lang}
          </a>{" "}
        </Fragment>
      ))}
    </span>
  );
}

/** The languages that a list shows: none for a page in one language. */
export function shownLanguages({ languages = [] }: PageRow): NonNullable<PageRow["languages"]> {
  return languages.length < 2 ? [] : languages;
}

/** The files of a page: one per language. */
export function filesOfPage({ sourcePath, languages = [] }: PageRow): readonly string[] {
  return languages.length === 0 ? [sourcePath] : languages.map((one) => one.sourcePath);
}
