/** The redirects of an import: from the old address of each page and file to the new one. */
import { encodedPath } from "../plan/address-key.js";
import type { Plan } from "../plan/plan.js";
import type { PlannedMedia } from "../plan/planned.js";
import type { RedirectWriter } from "./redirect-writer.js";

/** Adds the redirects of all pages that were imported, and of the files when those were. */
export function addOldAddresses(plan: Plan, redirects: RedirectWriter, takesMedia: boolean): void {
  for (const { addresses, route, origin, takenBy, leftOut } of plan.pages) {
    if (takenBy !== null || leftOut !== null) continue;
    for (const key of paths(plan, addresses)) redirects.add(key, encodedPath(route), origin);
  }
  if (!takesMedia) return;
  for (const file of plan.media) {
    for (const key of paths(plan, file.addresses)) {
      redirects.add(key, encodedPath(`/content-media/${file.path}`), file.origin);
    }
  }
}

/** Paths on the old host; those with a query are redirects of their source. */
function paths(plan: Plan, addresses: PlannedMedia["addresses"]): string[] {
  return addresses
    .map((address) => plan.keyOf(address))
    .filter((key) => /^\/(?!\/)/.test(key))
    .map(encodedPath);
}
