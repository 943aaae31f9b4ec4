/** Derives the rules for reading and routing the tree from the settings. */
import { relative, sep } from "node:path";
import type { Paths, Settings } from "#kernel";
import { toRoute } from "../../view/address.js";
import { RedirectTable } from "../../view/redirect-table.js";
import type { ContentRules } from "../../index/store-options.js";
import type {} from "../../contract.js";
import type { RouteRules } from "../../view/resolve-route.js";

/** How the tree is read; formats and templates are looked up when needed. */
export function toContentRules(
  settings: Settings,
  paths: Paths,
  {
    formats,
    codeFormats,
    templates,
    termFields,
    textFields,
  }: Pick<ContentRules, "formats" | "codeFormats" | "templates" | "termFields" | "textFields">,
): ContentRules {
  const { languages, timezone } = settings.system;
  const reserved = reservedBelow(paths);
  return {
    root: paths.content,
    isReserved: (path) => reserved.some((other) => path === other || path.startsWith(`${other}/`)),
    formats,
    codeFormats,
    languages: languages.supported,
    defaultLanguage: languages.default,
    includeDefaultInUrl: languages.include_default_in_url,
    templates,
    home: settings.site.home,
    timezone,
    ...(termFields && { termFields }),
    ...(textFields && { textFields }),
  };
}

/** The site's own data folders, if they are inside the content folder. */
function reservedBelow({ content, data, runtime, cache }: Paths): string[] {
  return [data, runtime, cache]
    .map((path) => relative(content, path).split(sep).join("/"))
    .filter((path) => path !== "" && !path.startsWith(".."));
}

/** How paths are routed, with these redirects. */
export function toRouteRules(
  { site, system }: Settings,
  redirects: Readonly<Record<string, string>>,
): RouteRules {
  const { languages } = system;
  return {
    languages: languages.supported,
    defaultLanguage: languages.default,
    includeDefaultInUrl: languages.include_default_in_url,
    redirectStatus: site.redirect_status,
    redirects: new RedirectTable(redirects),
    routes: new Map(
      Object.entries(site.routes).map(([alias, route]) => [toRoute(alias), toRoute(route)]),
    ),
  };
}
