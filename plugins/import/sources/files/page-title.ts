/** The title of a page: the first heading of its text, else the name of its file or folder. */

const TITLE = /^\s*#[ \t]+([^\n]{1,300}?)(?:[ \t]+#+)?(?:[ \t]*\{([^}\n]*)\})?[ \t]*(?:\n|$)/;

/** The first heading, if the text begins with it. */
export function findTitle(text: string): string | null {
  const heading = TITLE.exec(text)?.[1];
  return heading === undefined
    ? null
    : heading
        .replaceAll(/<!--(?:(?!<!--)[^])*?-->/g, "")
        .replaceAll(/[*_`]|!?\[([^[\]]*)\]\([^()]*\)/g, "$1")
        .trim() || null;
}

/**
 * The text without a first heading that repeats the title, since the theme shows the title; and the id or the text of
 * that heading, to whose anchor links lead.
 */
export function splitTitle(
  text: string,
  title: unknown,
): { readonly body: string; readonly anchor: { readonly titleAnchor?: string } } {
  if (typeof title !== "string" || findTitle(text) !== title) return { body: text, anchor: {} };
  const titleAnchor = /#([^\s{}]+)/.exec(TITLE.exec(text)?.[2] ?? "")?.[1] ?? title;
  return { body: text.replace(/^\s*#[^\n]*(?:\n|$)/, ""), anchor: { titleAnchor } };
}

/** The title of a page without one: the name of its file or folder in words. */
export function titleOfName(name: string): string {
  const words = name
    .replace(/^\d+[-_. ]+/, "")
    .replaceAll(/[-_]+/g, " ")
    .trim();
  return words === "" || words === "." ? "Home" : words.charAt(0).toUpperCase() + words.slice(1);
}
