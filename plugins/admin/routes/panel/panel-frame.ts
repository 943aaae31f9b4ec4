/** The frame of the panel's pages. */
import type { VNode } from "preact";
import { renderToString } from "preact-render-to-string";
import type { Answer, SiteContext } from "#kernel";
import type { AdminIdentity } from "../../contract.js";
import { panelStyle } from "../../panel-assets.js";
import type { RouteTable } from "../../route-table.js";
import type { FrameProps } from "../../templates/frame.js";

/** The pages that the identity may see; `current` is marked. */
export function menuOf(
  table: RouteTable,
  identity: AdminIdentity,
  current: string,
): FrameProps["menu"] {
  const { path, pages } = table;
  const own = [{ href: path, label: "Dashboard", isCurrent: current === path }];
  const allowed = pages.filter(
    ({ permission }) => permission === "any" || identity.permissions.has(permission),
  );
  return [
    ...own,
    ...allowed.map((page) => {
      const href = path + page.path;
      return { href, label: page.label, isCurrent: current === href };
    }),
  ];
}

/** Properties of a page's frame; `identity` is null before login. */
export function frameOf(
  site: SiteContext,
  shown: Pick<FrameProps, "path" | "title" | "menu"> & { identity: AdminIdentity | null },
): Omit<FrameProps, "children"> {
  const { path, title, menu, identity } = shown;
  return {
    path,
    title,
    menu,
    siteTitle: site.settings.site.title,
    siteUrl: "/",
    styleUrl: `${path}/assets/${panelStyle.name}`,
    user:
      identity === null
        ? null
        : { name: identity.name, email: identity.email, csrfToken: identity.csrfToken },
  };
}

/** Renders a panel page as a response. */
export function htmlAnswer<P>(page: VNode<P>): Answer {
  const body = `<!doctype html>${renderToString(page)}`;
  return { type: "text/html; charset=utf-8", body, cache: { private: true } };
}
