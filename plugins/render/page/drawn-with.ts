import type { PageEntry } from "../../content/contract.js";
import type { RenderContext } from "./render-context.js";

/**
 * The template that draws a page: the one that its blueprint names, else its own. Pages without a
 * template of their own follow the preset of the site.
 */
export function drawnWith(
  { site, theme }: Pick<RenderContext, "site" | "theme">,
  entry: Pick<PageEntry, "template" | "date" | "route">,
): string {
  const { template } = entry;
  const named = site.use("content").blueprints.of(template)?.template ?? template;
  const isOwn = named !== "default" && theme().templates.has(named);
  if (isOwn) return named;
  const { preset } = site.settings.site.theme;
  if (preset === "docs" && entry.route !== "/") return "docs";
  return preset === "blog" && entry.date !== null ? "post" : named;
}
