import { assertServed, type SiteContext } from "#kernel";
import type { ContentService, Viewer } from "../../content/contract.js";
import type { RenderContext } from "./render-context.js";

const anonymous: Viewer = { roles: null, seesUnpublished: false };

/** Dependencies of the check. */
export interface PageCheck {
  content: ContentService;
  /** True for a path whose failure its own page reports. */
  isReported(path: string): boolean;
}

/**
 * Requests the home page and one page per template, as a visitor.
 * @throws ERR_SITE_CHECK for the first page that is not served, unless its failure is reported.
 */
export async function checkPages(
  site: SiteContext,
  { content, isReported }: PageCheck,
): Promise<void> {
  const view = content.view(anonymous);
  const byTemplate = new Map<string, string>();
  for (const entry of view.all({})) {
    const isHome = entry.route === "/";
    const key = isHome ? "" : entry.template;
    if (!byTemplate.has(key)) byTemplate.set(key, entry.url);
  }
  for (const address of byTemplate.values()) {
    try {
      await assertServed(site.http, address);
    } catch (error) {
      if (!isReported(decodeURI(address))) throw error;
    }
  }
}

/** Maximum number of preloaded templates. */
const MAX_TEMPLATES = 20;

/** Preloads what the first page needs: the layout, and the templates of existing pages. */
export async function warmUp(context: RenderContext): Promise<void> {
  const { templates } = context.theme();
  const used = context.content.generation().entries.map(({ template }) => template);
  const names = [...new Set(["default", "error", ...used])].filter((name) => templates.has(name));
  // Template errors are reported by the request that needs the template.
  await templates.layout().catch(() => null);
  for (const name of names.slice(0, MAX_TEMPLATES)) await templates.get(name).catch(() => null);
}
