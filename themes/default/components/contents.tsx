import type { PageView, TemplateProps } from "#theme";

interface ContentsProps {
  page: PageView;
  t: TemplateProps["t"];
}

/** Links to the headings of a page; nothing for fewer than two. */
export function Contents({ page, t }: ContentsProps) {
  const headings = page.headings.filter(({ level }) => level === 2 || level === 3);
  if (headings.length < 2) return null;
  return (
    <nav class="contents" aria-label={t("page.contents", "On this page")}>
      <p class="contents-title">{t("page.contents", "On this page")}</p>
      <ol>
        {headings.map(({ id, level, text }) => (
          <li key={id} class={level === 3 ? "deeper" : undefined}>
            <a href={`#${id}`}>{text}</a>
          </li>
        ))}
      </ol>
    </nav>
  );
}
