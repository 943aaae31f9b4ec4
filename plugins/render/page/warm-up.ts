import type { RenderContext } from "./render-context.js";

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
