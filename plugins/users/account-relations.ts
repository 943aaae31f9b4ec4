import type { Logger } from "#kernel";
import { engineFailureFields } from "#kernel/internal";
import type { ContentService } from "../content/contract.js";
import type { UsersService } from "./contract.js";

/** Makes fields of kind `user` check that the account exists. */
export function checkAccounts(
  content: Pick<ContentService, "relations"> | undefined,
  { users, log }: { users: UsersService; log: Logger },
): void {
  content?.relations.addTarget("user", async (id) => {
    try {
      // Visitors of a store without memory cannot be looked up.
      return users.isStateless || (await users.get(id)) !== null;
    } catch (error) {
      // A page must not be lost to a store that is down.
      log.warn("users.relation_unchecked", { id, ...engineFailureFields(error) });
      return true;
    }
  });
}
