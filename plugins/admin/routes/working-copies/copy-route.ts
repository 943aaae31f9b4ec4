import type { AdminInput, AdminRoute, Permission } from "../../contract.js";
import { refusal } from "../../errors.js";
import { reasonAgainst } from "../../accounts/rights.js";
import { WorkingCopyStore } from "../../working-copies/working-copy-store.js";
import { contentPath } from "../../write/page-source.js";
import type { AdminContext } from "../admin-context.js";

/** A route that changes or shows the working copy of a page. */
interface CopyRoute<Q, B> extends AdminRoute<Q, B> {
  readonly permission: Permission;
  /** The path of the page. Default: the end of the address. */
  pathOf?(input: AdminInput<Q, B>): string;
}

/**
 * Adds a route about a working copy. The rights to its page decide; that of a page that does not exist yet belongs to
 * the account that began it.
 */
export function copyRoute<Q, B>(
  { admin, site }: Pick<AdminContext, "admin" | "site">,
  { pathOf = ({ params }) => params["path"] ?? "", ...route }: CopyRoute<Q, B>,
): void {
  const copies = new WorkingCopyStore(site.use("records"));
  admin.route<Q, B>({
    ...route,
    handler: async (req, res, input) => {
      const path = contentPath(pathOf(input));
      const owners = await copies.ownersOf(path, site.use("content"));
      const reason = reasonAgainst(input.identity, route.permission, path, owners);
      if (reason !== null) throw refusal(403, "ERR_ADMIN_FORBIDDEN", reason);
      return route.handler(req, res, input);
    },
  });
}
