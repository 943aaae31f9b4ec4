/** Fields of page types whose values are terms of a taxonomy. */
import { nearest, type Field } from "#kernel/internal";
import type { Blueprint } from "../contract.js";
import type { TermField, TermFields } from "../index/tree/tree-nodes.js";
import type { BlueprintMistake } from "./blueprint-problems.js";

/** The fields of kind `tags` with `from`, by template. Nested ones have no terms. */
export function termFieldsOf(blueprints: readonly Blueprint[]): TermFields {
  const all = blueprints.map(({ name, fields }): [string, readonly TermField[]] => [
    name,
    fields.flatMap(termField),
  ]);
  return new Map(all.filter(([, fields]) => fields.length > 0));
}

/** Mistakes of fields whose taxonomy the site does not have. */
export function unknownTaxonomies(
  fields: readonly Field[],
  taxonomies: readonly string[],
): readonly BlueprintMistake[] {
  return fields.flatMap(termField).flatMap(([field, name]): BlueprintMistake[] => {
    if (taxonomies.includes(name)) return [];
    const near = nearest(name, taxonomies);
    const hint = near === null ? "" : `; did you mean ${near}?`;
    const message = `the site has no taxonomy ${JSON.stringify(name)}${hint}`;
    const fix = "correct the name, or add it to `taxonomies` in site.yaml";
    return [{ path: ["fields", field, "from"], message, fix }];
  });
}

function termField({ name, type, more }: Field): TermField[] {
  const { from } = more;
  return type === "tags" && typeof from === "string" ? [[name, from]] : [];
}
