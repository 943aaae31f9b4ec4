import type { House } from "./house.js";

/** Most templates that are loaded ahead. */
const mostTemplates = 20;

/** Loads what the first page needs: the layout, and the templates of the pages there are. */
export async function warmUp(house: House): Promise<void> {
  const { templates } = house.theme();
  const used = house.content.generation().entries.map(({ template }) => template);
  const names = [...new Set(["default", "error", ...used])].filter((name) => templates.has(name));
  // A template that cannot be loaded is told by the request that needs it.
  await templates.layout().catch(() => null);
  for (const name of names.slice(0, mostTemplates)) await templates.get(name).catch(() => null);
}
