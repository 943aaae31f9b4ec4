import type { PageEntry } from "../../content/contract.js";
import type { RenderContext } from "./render-context.js";

/** The template that draws a page: the one that its blueprint names, else its own. */
export function drawnWith(
  { site }: Pick<RenderContext, "site">,
  { template }: Pick<PageEntry, "template">,
): string {
  return site.use("content").blueprints.of(template)?.template ?? template;
}
