import type { Diagnostic } from "#kernel";
import type { ContentService, PageEntry } from "../content/contract.js";

/** How to fix gated pages of a site without a login. */
export const LOGIN_FIX = "add `auth` to site.yaml, or remove `roles` from these pages";

/** `site doctor`: gated pages that no visitor can read. */
export const loginCheck: Diagnostic = {
  name: "logins",
  needsSite: true,
  run: async (input) => {
    const site = await input.site();
    const gated = withoutLogin(site.use("content"));
    const [first] = gated;
    if (first === undefined) return [];
    const seen = `this site has no login for ${gated.length} page(s) with \`roles\`, such as ${first.sourcePath}`;
    return [{ level: "warning", seen, fix: LOGIN_FIX }];
  },
};

/** The gated pages among `entries`, when the site has no login. */
export function withoutLogin(
  content: ContentService,
  entries = content.generation().entries,
): PageEntry[] {
  if (content.hasLogin()) return [];
  return entries.filter(({ roles, routable }) => roles !== null && routable);
}
