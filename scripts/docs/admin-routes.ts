import type { DocsSite } from "./docs-site.js";
import { code, table } from "./table.js";

/** Permissions that do not belong to a role. */
const WORDS: Readonly<Record<string, string>> = { any: "any admin role", none: "open" };

/** Every route of the admin with the permission it needs. */
export function adminRouteTable({ site }: DocsSite): string {
  // Addresses with a trailing slash only redirect.
  const routes = site.use("admin").routes.filter(({ path }) => !path.endsWith("/"));
  const rows = routes.map(({ method, path, permission, summary }) => {
    const shown = path.replace(/[:*](\w+)/g, "{$1}").replace(/\.[0-9a-f]{10}\.css$/, ".css");
    const needed = `${method.toUpperCase()}, ${WORDS[permission] ?? permission}`;
    return [`${code(shown)}<br><small>${needed}</small>`, summary];
  });
  return table(["Path, method and permission", "What it does"], rows);
}
