import { Html } from "#theme";
import type { PageView } from "#theme";

/** The rendered body of a page. */
export function Prose({ page }: { page: PageView }) {
  return page.html === "" ? null : <Html class="prose" html={page.html} />;
}

/** The title of a page, unless its body begins with one. */
export function Title({ page }: { page: PageView }) {
  return hasOwnTitle(page) ? null : <h1>{page.title}</h1>;
}

/** True when the body begins with a heading of the first level. */
export function hasOwnTitle(page: PageView): boolean {
  return /^\s*<h1[\s>]/.test(page.html);
}
