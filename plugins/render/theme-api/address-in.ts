/**
 * An address that an author wrote, in the language of the page: `href` of the template's props encodes its
 * path; query and fragment stay as they are.
 */
export function addressIn(href: (route: string) => string, url: string): string {
  const at = url.search(/[?#]/);
  return at === -1 ? href(url) : href(url.slice(0, at)) + url.slice(at);
}
