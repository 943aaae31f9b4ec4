import type { OpenHouse } from "./open-house.js";
import { code, table } from "./table.js";

/** Every route of the admin with the permission it needs. */
export function adminRouteTable({ site }: OpenHouse): string {
  const rows = site
    .use("admin")
    .routes.map(({ method, path, permission, summary }) => [
      code(method.toUpperCase()),
      code(path.replace(/[:*](\w+)/g, "{$1}").replace(/\.[0-9a-f]{10}\.css$/, ".css")),
      permission === "any" ? "any admin role" : permission === "none" ? "open" : code(permission),
      summary,
    ]);
  return table(["Method", "Path", "Permission", "What it does"], rows);
}
