import type { SiteContext } from "#kernel";
import type { Place } from "./addresses.js";
import type { MadeFiles } from "./made-files.js";

export async function exportSearch(
  _site: SiteContext,
  _made: MadeFiles,
  _to: { out: string; stage: string },
): Promise<void> {}
export function searchHead(_site: SiteContext, _place: Place): string {
  return "";
}
