import { Html } from "#theme";
import type { PageView } from "#theme";

/** The rendered body of a page. */
export function Prose({ page }: { page: PageView }) {
  return page.html === "" ? null : <Html class="prose" html={page.html} />;
}

/** The title of a page, unless its body has it. */
export function Title({ page }: { page: PageView }) {
  return hasOwnTitle(page) ? null : <h1>{page.title}</h1>;
}

/** True when the body begins with a heading of the first level, or names the page in its first one (below a logo, say). */
export function hasOwnTitle({ html, headings: [first], title }: PageView): boolean {
  return /^\s*<h1[\s>]/.test(html) || (first?.level === 1 && first.text === title);
}
