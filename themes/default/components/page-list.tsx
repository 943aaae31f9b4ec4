import { formatDate, Picture } from "#theme";
import type { CollectionItemView, TemplateProps } from "#theme";

import { languageAttributes, TEXT_SIZES } from "./prose.js";

interface PageListProps {
  items: readonly CollectionItemView[];
  lang: string;
  t: TemplateProps["t"];
  /** Shows the first page larger. */
  lead?: boolean;
  /** The list is in a column of text: one card a row. */
  isColumn?: boolean;
}

/** One, two or three cards a row. */
const CARD_SIZES = "(max-width: 43rem) 92vw, (max-width: 67rem) 46vw, 23rem";
const LEAD_SIZES = "(max-width: 46rem) 92vw, (max-width: 78rem) 46vw, 34.5rem";

/** A list of page cards: image, date, title, excerpt. */
export function PageList({ items, lang, t, lead = false, isColumn = false }: PageListProps) {
  const sizes = isColumn ? TEXT_SIZES : CARD_SIZES;
  if (items.length === 0) return <p class="empty">{t("list.empty", "Nothing here yet.")}</p>;
  return (
    <ul class={lead ? "cards has-lead" : "cards"}>
      {items.map((item, index) => (
        <li key={item.route} class="card">
          {item.image !== null && (
            <Picture
              class="card-image"
              src={item.image}
              alt=""
              attributes={item.imageAttributes}
              sizes={index > 0 ? `auto, ${sizes}` : lead ? LEAD_SIZES : sizes}
              eager={index === 0}
            />
          )}
          <div class="card-text">
            <Facts item={item} lang={lang} />
            <h2 {...languageAttributes(item)}>
              <a href={item.url}>{item.title}</a>
            </h2>
            {item.excerpt !== "" && <p {...languageAttributes(item)}>{item.excerpt}</p>}
          </div>
        </li>
      ))}
    </ul>
  );
}

/** True for a collection of modules, which `PageModules` shows instead of a list. */
export function hasModules({ items }: { items: readonly CollectionItemView[] }): boolean {
  return items.some(({ html }) => html !== undefined);
}

function Facts({ item, lang }: { item: CollectionItemView; lang: string }) {
  const tags = [...(item.taxonomy["category"] ?? []), ...(item.taxonomy["tag"] ?? [])].slice(0, 2);
  if (item.date === null && tags.length === 0) return null;
  return (
    <p class="facts">
      {item.date !== null && <time dateTime={item.date}>{formatDate(item.date, lang)}</time>}
      {tags.map((tag) => (
        <span key={tag} {...languageAttributes(item)}>
          {tag}
        </span>
      ))}
    </p>
  );
}
