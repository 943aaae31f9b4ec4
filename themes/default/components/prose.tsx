import { fitImages, Html } from "#theme";
import type { PageView } from "#theme";

/** `sizes` of images in a column of text. */
export const TEXT_SIZES = "(max-width: 47rem) 92vw, 43rem";

interface ProseProps {
  page: PageView;
  /** The width of the column, as in `sizes`. */
  sizes?: string;
  /** True: nothing larger stands above, so an image in the first view has priority. */
  eager?: boolean;
}

/** The rendered body of a page. */
export function Prose({ page, sizes = TEXT_SIZES, eager = false }: ProseProps) {
  if (page.html === "") return null;
  const html = fitImages(page.html, { sizes, eager });
  return <Html class="prose" html={html} {...languageAttributes(page)} />;
}

/** The title of a page, unless its body contains it. */
export function Title({ page }: { page: PageView }) {
  return hasOwnTitle(page) ? null : <h1 {...languageAttributes(page)}>{page.title}</h1>;
}

/** Language and direction of a fallback text, which differ from those of the document. */
export function languageAttributes({
  lang,
  dir,
  fallback,
}: Pick<PageView, "lang" | "dir" | "fallback">): {
  lang?: string;
  dir?: "ltr" | "rtl";
} {
  return fallback ? { lang, dir } : {};
}

/** True if the body starts with an `h1`, or its first `h1` is the title (below a logo, for example). */
export function hasOwnTitle({ html, headings: [first], title }: PageView): boolean {
  return /^\s*<h1[\s>]/.test(html) || (first?.level === 1 && first.text === title);
}
