import type { ContentService } from "../content/contract.js";
import type { PageReference } from "./contract.js";

/** The relations to a page, with their lines. */
export async function relationsTo(
  content: ContentService,
  sourcePath: string,
): Promise<readonly PageReference[]> {
  const target = content.generation().bySource.get(sourcePath);
  if (target === undefined) return [];
  const found: PageReference[] = [];
  for (const { entry, field } of content.relations.referencedBy(target)) {
    const page = await content.source(entry.sourcePath);
    const [key = ""] = field.split(".");
    const lines = page?.raw.split(/\r?\n/) ?? [];
    const line = Math.max(lines.findIndex((text) => text.startsWith(`${key}:`)) + 1, 1);
    const { key: text = "" } =
      content.relations.of(entry).find((relation) => relation.field === field) ?? {};
    found.push({ from: entry.sourcePath, text, line, field });
  }
  return found;
}
