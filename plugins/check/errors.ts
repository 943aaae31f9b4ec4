import type { ContentProblem } from "../content/contract.js";

/** Error codes of checks: what each means, and the fix. */
export const checkErrors = {
  ERR_CHECK_LINK: "the target of a link or image does not exist on this site; correct its address",
  ERR_CHECK_ANCHOR: "a link has an anchor that its page lacks; correct the part after the #",
  ERR_CHECK_TEMPLATE: "no theme has the page's template; correct its name, or add the template",
  ERR_CHECK_COLLECTION:
    "a collection names a source or an order that does not exist, or has a limit below 1; correct the key in the message",
  ERR_CHECK_LOGIN:
    "a page has `roles`, and this site has no login; add `auth` to site.yaml, or remove `roles`",
  ERR_CHECK_HOME: "no page has the route `/`; create `index.md`, or set `home` in site.yaml",
  ERR_CHECK_UNTRANSLATED: "a page is missing in a language of the site; translate it",
  ERR_CHECK_OUTDATED: "a page has changed since it was translated; review the translation",
  ERR_CHECK_ORPHAN: "no page uses this file; use it or remove it",
  ERR_CHECK_FIELD:
    "a front matter field has a meaning in other systems but not here; write it as the message says, or ignore the warning if it is a field of your own",
  ERR_CHECK_NAME:
    "the name of a page or folder is close to another one that means something else; rename it",
  ERR_CHECK_ROUTE: "the route has no page, or is already taken; choose another",
} as const;

/** A code of `checkErrors`. */
export type CheckErrorCode = keyof typeof checkErrors;

/** A problem that a check finds. */
export type CheckProblem = Omit<ContentProblem, "code"> & { code: CheckErrorCode };
