import { Html } from "#theme";
import type { PageView } from "#theme";

/** The rendered body of a page. */
export function Prose({ page }: { page: PageView }) {
  if (page.html === "") return null;
  return <Html class="prose" html={page.html} {...languageOf(page)} />;
}

/** The title of a page, unless its body contains it. */
export function Title({ page }: { page: PageView }) {
  return hasOwnTitle(page) ? null : <h1 {...languageOf(page)}>{page.title}</h1>;
}

/** Language and direction of a fallback text, which differ from those of the document. */
export function languageOf({ lang, dir, fallback }: Pick<PageView, "lang" | "dir" | "fallback">): {
  lang?: string;
  dir?: "ltr" | "rtl";
} {
  return fallback ? { lang, dir } : {};
}

/** True if the body starts with an `h1`, or its first `h1` is the title (below a logo, for example). */
export function hasOwnTitle({ html, headings: [first], title }: PageView): boolean {
  return /^\s*<h1[\s>]/.test(html) || (first?.level === 1 && first.text === title);
}
