import { inLanguage } from "#theme";
import type { PageView, ShownField } from "#theme";
import { FlexValue } from "./flex-value.js";
import { languageOf } from "./prose.js";

const PAGES: ReadonlySet<string> = new Set(["page", "pages"]);

/** The fields that the blueprint of the page shows. */
export function ShownFields({ page, lang }: { page: PageView; lang: string }) {
  if (page.shown.length === 0) return null;
  return (
    <dl class="facts-list" {...languageOf(page)}>
      {page.shown.map((field) => (
        <div key={field.name}>
          <dt>{field.label}</dt>
          <dd>
            <Value field={field} lang={lang} />
          </dd>
        </div>
      ))}
    </dl>
  );
}

function Value({ field, lang }: { field: ShownField; lang: string }) {
  const { type, value, links } = field;
  if (PAGES.has(type)) {
    return links.map(({ title, url, lang: own }, at) => (
      <span key={url}>
        {at > 0 && ", "}
        <a href={url} {...inLanguage(own)}>
          {title}
        </a>
      </span>
    ));
  }
  if (type === "url" && typeof value === "string" && /^https?:/.test(value)) {
    return <a href={value}>{value.replace(/^https?:\/\/|\/$/g, "")}</a>;
  }
  if (type === "email" && typeof value === "string") return <a href={`mailto:${value}`}>{value}</a>;
  return <FlexValue value={value} field={field} lang={lang} />;
}
