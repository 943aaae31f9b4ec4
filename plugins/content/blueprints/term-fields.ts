/** Fields of page types that decide what is read from front matter: terms of a taxonomy, and texts. */
import type { Field } from "#kernel";
import { nearest } from "#kernel/internal";
import type { BlockType, Blueprint } from "../contract.js";
import type { TermField, TermFields, TextFields } from "../index/tree/tree-nodes.js";
import type { BlueprintMistake } from "./blueprint-problems.js";

/** The fields of kind `tags` with `from`, by template. Nested ones have no terms. */
export function termFieldsOf(blueprints: readonly Blueprint[]): TermFields {
  const all = blueprints.map(({ name, fields }): [string, readonly TermField[]] => [
    name,
    fields.flatMap(termField),
  ]);
  return new Map(all.filter(([, fields]) => fields.length > 0));
}

/** The fields of page types whose values are the texts in the file. */
export function textFieldsOf(
  blueprints: readonly Blueprint[],
  blocks: readonly BlockType[],
): TextFields {
  const byTemplate = new Map(
    blueprints.map(({ name, fields }) => [
      name,
      fields.filter(({ kind }) => kind.texts !== undefined),
    ]),
  );
  const shapes = [...blueprints, ...blocks].map(({ name, fields }) => [name, fields.map(shapeOf)]);
  return { of: (template) => byTemplate.get(template) ?? [], stamp: JSON.stringify(shapes) };
}

function shapeOf({ name, type, fields }: Field): unknown {
  return fields.length === 0 ? [name, type] : [name, type, fields.map(shapeOf)];
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
