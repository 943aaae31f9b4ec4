import {
  type FlexFieldView,
  type FlexSchemaView,
  formatNumber,
  inLanguage,
  type PageView,
  type ShownField,
} from "#theme";
import { languageAttributes } from "./prose.js";

const PAGES: ReadonlySet<string> = new Set(["page", "pages"]);

/** The fields that the blueprint of the page shows. */
export function ShownFields({ page, lang }: { page: PageView; lang: string }) {
  if (page.shown.length === 0) return null;
  return (
    <dl class="facts-list" {...languageAttributes(page)}>
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

interface FlexValueProps {
  value: unknown;
  field: FlexFieldView;
  lang: string;
}

/** A value of a record, formatted by the type of its field. */
export function FlexValue({ value, field, lang }: FlexValueProps) {
  if (value === null || value === undefined || value === "") return <span class="dim">–</span>;
  if (typeof value === "boolean") return <>{value ? "✓" : "✗"}</>;
  if (Array.isArray(value)) return <>{value.map(String).join(", ")}</>;
  if (typeof value === "number") return <>{formatNumber(value, lang)}</>;
  const text = typeof value === "object" ? JSON.stringify(value) : String(value);
  if (field.type === "date") return <time dateTime={text}>{text}</time>;
  return <>{findLabel(field, text)}</>;
}

/** The label of a select option; other values unchanged. */
function findLabel({ options = [] }: FlexFieldView, text: string): string {
  return options.find(({ value }) => value === text)?.label ?? text;
}

/** The title of a record: its name or title, its first text, or its id. */
export function recordName(
  schema: FlexSchemaView,
  record: Readonly<Record<string, unknown>>,
): string {
  const first = schema.fields.find((field) => field.type === "text")?.name ?? "";
  const names = ["name", "title", first].map((field) => record[field]);
  const named = names.find((value) => typeof value === "string" && value !== "");
  return String(named ?? record["_id"] ?? "");
}
