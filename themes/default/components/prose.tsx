import { Html } from "#theme";
import type { PageView } from "#theme";

/** The rendered body of a page. */
export function Prose({ page }: { page: PageView }) {
  if (page.html === "") return null;
  return <Html class="prose" html={page.html} {...languageOf(page)} />;
}

/** The title of a page, unless its body has it. */
export function Title({ page }: { page: PageView }) {
  return hasOwnTitle(page) ? null : <h1 {...languageOf(page)}>{page.title}</h1>;
}

/** Language and direction of a text that stands in for a missing translation: not those of the document. */
export function languageOf({ lang, dir, fallback }: Pick<PageView, "lang" | "dir" | "fallback">): {
  lang?: string;
  dir?: "ltr" | "rtl";
} {
  return fallback ? { lang, dir } : {};
}

/** True when the body begins with a heading of the first level, or names the page in its first one (below a logo, say). */
export function hasOwnTitle({ html, headings: [first], title }: PageView): boolean {
  return /^\s*<h1[\s>]/.test(html) || (first?.level === 1 && first.text === title);
}
