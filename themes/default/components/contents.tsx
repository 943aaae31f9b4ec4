import type { PageView, TemplateProps } from "#theme";
import { languageOf } from "./prose.js";

interface ContentsProps {
  page: PageView;
  t: TemplateProps["t"];
}

/** The headings that a list of contents names. */
export function contentsOf(page: PageView) {
  const headings = page.headings.filter(
    ({ level, text }) => (level === 2 || level === 3) && text !== "",
  );
  return headings.length < 2 ? [] : headings;
}

/**
 * Links to the headings of a page, beside its text; on narrow screens a list that its button opens.
 * Nothing for fewer than two.
 */
export function Contents({ page, t }: ContentsProps) {
  const headings = contentsOf(page);
  if (headings.length === 0) return null;
  return (
    <nav
      class="contents"
      id=":contents"
      popover="auto"
      aria-label={t("page.contents", "On this page")}
    >
      <p class="contents-title">{t("page.contents", "On this page")}</p>
      <ol {...languageOf(page)}>
        {headings.map(({ id, level, text }) => (
          <li key={id} class={level === 3 ? "deeper" : undefined}>
            <a href={`#${id}`}>{text}</a>
          </li>
        ))}
      </ol>
    </nav>
  );
}
