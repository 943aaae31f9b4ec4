import { isRecord } from "#kernel";
import type { Blueprints, Field, PageEntry } from "../../content/contract.js";

const TEXTS = new Set(["text", "textarea", "markdown"]);
const MAX_DEPTH = 10;

/** The texts of a page's blocks, as Markdown: those of fields of kind `text`, `textarea` and `markdown`. */
export function blockText(blueprints: Blueprints, { template, frontmatter }: PageEntry): string {
  const fields = blueprints.of(template)?.fields.filter(({ type }) => type === "blocks") ?? [];
  if (fields.length === 0) return "";
  const known = new Map(blueprints.blocks().map(({ name, fields: own }) => [name, own]));
  return textsOf(fields, frontmatter, { known, depth: 0 }).join("\n\n");
}

interface Place {
  readonly known: ReadonlyMap<string, readonly Field[]>;
  readonly depth: number;
}

function textsOf(
  fields: readonly Field[],
  values: Readonly<Record<string, unknown>>,
  { known, depth }: Place,
): string[] {
  if (depth > MAX_DEPTH) return [];
  const texts: string[] = [];
  for (const { name, type, fields: nested } of fields) {
    const value = Object.hasOwn(values, name) ? values[name] : undefined;
    if (TEXTS.has(type) && typeof value === "string") texts.push(value);
    for (const item of mapsIn(value)) {
      const own = type === "blocks" ? (known.get(String(item["type"])) ?? []) : nested;
      for (const text of textsOf(own, item, { known, depth: depth + 1 })) texts.push(text);
    }
  }
  return texts;
}

function mapsIn(value: unknown): Record<string, unknown>[] {
  const items: unknown[] = Array.isArray(value) ? value : [value];
  return items.filter(isRecord);
}
