import type { SiteContext } from "#kernel";
import { assertServed } from "#kernel/internal";
import type { ContentService, Viewer } from "../../content/contract.js";

const anonymous: Viewer = { roles: null, seesUnpublished: false };

/**
 * Requests the home page and one page per template, as a visitor.
 * @throws ERR_SITE_CHECK for the first page that is not served.
 */
export async function checkPages(site: SiteContext, content: ContentService): Promise<void> {
  const view = content.view(anonymous);
  const byTemplate = new Map<string, string>();
  for (const entry of view.all({})) {
    const isHome = entry.route === "/";
    const key = isHome ? "" : entry.template;
    if (!byTemplate.has(key)) byTemplate.set(key, entry.url);
  }
  for (const address of byTemplate.values()) await assertServed(site.http, address);
}
