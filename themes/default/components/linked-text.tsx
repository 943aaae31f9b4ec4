import { inLanguage } from "#theme";
import type { ModuleView } from "#theme";
import { textOf } from "./values.js";

/** The text of a field, as a link when it names a page; null without a text or a visible page. */
export function linkedText(
  { data, relations }: Pick<ModuleView, "data" | "relations">,
  field: string,
) {
  const link = relations[field];
  if (link === null) return null;
  if (link === undefined) return textOf(data[field]) || null;
  const { title, url, lang } = link;
  return (
    <a href={url} hreflang={lang} {...inLanguage(lang)}>
      {title}
    </a>
  );
}
