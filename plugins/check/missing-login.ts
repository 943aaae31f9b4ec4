/** Pages that ask for a login on a site that has none. */
import type { SiteContext } from "#kernel";
import type { Diagnostic } from "#kernel/internal";
import type { ContentProblem, ContentService, PageEntry } from "../content/contract.js";
import type { CheckErrorCode } from "./errors.js";

type Found = Omit<ContentProblem, "code"> & { code: CheckErrorCode };

const MESSAGE =
  "the page has `roles`, and this site has no login: add `auth` to site.yaml, or remove `roles`";
const FIX = "add `auth` to site.yaml, or remove `roles` from these pages";

/** A warning for each gated page. */
export function missingLogin(site: SiteContext, entries: readonly PageEntry[]): Found[] {
  return withoutLogin(site.use("content"), entries).map(({ sourcePath }) => ({
    sourcePath,
    severity: "warning",
    code: "ERR_CHECK_LOGIN",
    message: MESSAGE,
  }));
}

/** Warns at startup, before visitors get a 403 although there is no login. */
export function warnOfMissingLogin(site: SiteContext): void {
  const [first, ...others] = withoutLogin(site.use("content"));
  if (first === undefined) return;
  const pages = others.length + 1;
  site.log.warn("check.no_login", { pages, first: first.sourcePath, fix: FIX });
}

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
    return [{ level: "warning", seen, fix: FIX }];
  },
};

function withoutLogin(
  content: ContentService,
  entries = content.generation().entries,
): PageEntry[] {
  if (content.hasLogin()) return [];
  return entries.filter(({ roles, routable }) => roles !== null && routable);
}
