/** Error codes of checks: what each means, and the fix. */
export const checkErrors = {
  ERR_CHECK_LINK: "a link or image leads to nothing on this site; correct its address",
  ERR_CHECK_ANCHOR:
    "a link names an anchor that its page does not have; correct what follows the #",
  ERR_CHECK_TEMPLATE: "no theme has the page's template; correct its name, or add the template",
  ERR_CHECK_COLLECTION:
    "a collection names a source or an order that does not exist, or has a limit below 1; correct the key that is named",
  ERR_CHECK_HOME: "no page stands at `/`; create `index.md`, or name a page as `home` in site.yaml",
  ERR_CHECK_UNTRANSLATED: "a page is missing in a language of the site; translate it",
  ERR_CHECK_OUTDATED: "a page has changed since it was translated; look the translation through",
  ERR_CHECK_ORPHAN: "no page shows or links this file; use it or remove it",
  ERR_CHECK_ROUTE: "the route has no page, or has one already; choose another",
} as const;

/** A code of `checkErrors`. */
export type CheckErrorCode = keyof typeof checkErrors;
