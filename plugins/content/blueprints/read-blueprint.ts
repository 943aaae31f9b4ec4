/** Page types and blocks from the values of their files. */
import { z } from "zod";
import { isRecord, type Field, type FieldKinds } from "#kernel";
import { nearest, readData, readFields } from "#kernel/internal";
import type { BlockType, Blueprint } from "../contract.js";
import type { BlueprintFile } from "./blueprint-files.js";
import type { BlueprintMistake, BlueprintProblems } from "./blueprint-problems.js";
import { extended } from "./extend-blueprint.js";
import { unknownTaxonomies } from "./term-fields.js";

/** Maximum number of fields of one file, nested ones included. */
const MAX_FIELDS = 500;
const LEFT_OUT = "correct the definition; the field is left out until then";
const TEMPLATE = /^[A-Za-z][A-Za-z0-9_-]{0,63}$/;

const template = z.string().regex(TEMPLATE, { error: "the name of a template" });
const templates = z.array(template).max(200).nullable();
const fieldName = z.string().min(1).max(64);
const definitions = z.record(z.string(), z.unknown());

const pageShape = {
  title: z.string().min(1).max(200).optional(),
  template: template.optional(),
  children: templates.default(null),
  parents: templates.default(null),
  status: z.enum(["draft", "in_review", "published", "archived"]).nullable().default(null),
  naming: z
    .strictObject({
      slug: fieldName.default("title"),
      prefix: z.enum(["none", "number", "date"]).default("none"),
    })
    .nullable()
    .default(null),
  columns: z.array(fieldName).max(50).default([]),
  show: z.array(fieldName).max(50).default([]),
  fields: definitions.default({}),
  extends: z.string().optional(),
};
const blockShape = {
  label: z.string().min(1).max(200).optional(),
  fields: definitions.default({}),
  extends: z.string().optional(),
};

/** The values of a file, with those it inherits, and a way to report mistakes. */
interface Parts {
  readonly file: BlueprintFile;
  readonly values: Readonly<Record<string, unknown>>;
  readonly report: (mistake: BlueprintMistake) => void;
  readonly known: BlueprintNames;
}
/** What fields may name. */
export interface BlueprintNames {
  readonly kinds: FieldKinds;
  /** Taxonomies of the site. */
  readonly taxonomies: readonly string[];
}

/** The page types of these files. Invalid keys and fields are left out and reported. */
export function readBlueprints(
  files: readonly BlueprintFile[],
  known: BlueprintNames,
  problems: BlueprintProblems,
): readonly Blueprint[] {
  return partsOf(files, known, problems).map((parts): Blueprint => {
    const { name } = parts.file;
    const { title = name, template: drawnBy = name, ...read } = valid(parts, pageShape);
    const { children, parents, status, naming, columns } = read;
    const fields = fieldsOf(parts, read.fields);
    const show = shownOf(parts, read.show, fields);
    const rules = { children, parents, status, naming };
    return { name, title, template: drawnBy, fields, ...rules, columns, show };
  });
}

/** The names that are fields; the others are reported. */
function shownOf({ report }: Parts, names: readonly string[], fields: readonly Field[]): string[] {
  const declared = fields.map(({ name }) => name);
  return names.filter((name, at) => {
    if (declared.includes(name)) return true;
    const near = nearest(name, declared);
    const fix = near === null ? "declare it in fields, or remove it" : `did you mean ${near}?`;
    report({ path: ["show", String(at)], message: `there is no field ${name}`, fix });
    return false;
  });
}

/** The types of blocks of these files. */
export function readBlocks(
  files: readonly BlueprintFile[],
  known: BlueprintNames,
  problems: BlueprintProblems,
): readonly BlockType[] {
  return partsOf(files, known, problems).map((parts): BlockType => {
    const { name } = parts.file;
    const { label = name, fields } = valid(parts, blockShape);
    return { name, label, fields: fieldsOf(parts, fields) };
  });
}

function partsOf(
  files: readonly BlueprintFile[],
  known: BlueprintNames,
  problems: BlueprintProblems,
): readonly Parts[] {
  const byName = new Map(files.map((file) => [file.name, file]));
  return files.flatMap((file): Parts[] => {
    if (file.source === null) return [];
    const say = problems.of(file.path, file.source);
    // What a file inherits is reported with the file that has it.
    const report = (mistake: BlueprintMistake): void =>
      isOwn(file, mistake.path ?? []) ? say(mistake) : undefined;
    return [{ file, values: extended(file, byName, report), report, known }];
  });
}

function isOwn({ source }: BlueprintFile, [key, name]: readonly string[]): boolean {
  if (key === undefined || source === null) return true;
  const value = source.data[key];
  if (key !== "fields" || name === undefined) return Object.hasOwn(source.data, key);
  return isRecord(value) && Object.hasOwn(value, name);
}

/** The keys that fit; the others are reported and count as missing. */
function valid<S extends z.ZodRawShape>(
  { values, report }: Parts,
  shape: S,
): z.output<z.ZodObject<S>> {
  const kept: Record<string, unknown> = { ...values };
  for (const key of Object.keys(values)) {
    if (Object.hasOwn(shape, key)) continue;
    const near = nearest(key, Object.keys(shape));
    const fix = near === null ? "remove it" : `did you mean ${near}?`;
    report({ path: [key], message: "there is no such key", fix });
    delete kept[key];
  }
  const schema = z.object(shape);
  const { data, mistakes } = readData(schema, kept);
  if (mistakes === null) return data;
  for (const { path, message, fix } of mistakes) {
    report({ path: path.map(String), message, fix });
    delete kept[String(path[0])];
  }
  return schema.parse(kept);
}

function fieldsOf(
  { known, report }: Parts,
  given: Readonly<Record<string, unknown>>,
): readonly Field[] {
  // `price: false` removes an inherited field.
  const kept = Object.fromEntries(Object.entries(given).filter(([, value]) => value !== false));
  const { fields, problems } = readFields(kept, known.kinds);
  for (const { path, message, fix = LEFT_OUT } of problems) report({ path, message, fix });
  for (const mistake of unknownTaxonomies(fields, known.taxonomies)) report(mistake);
  if (countOf(fields) <= MAX_FIELDS) return fields;
  const message = `there are more than ${MAX_FIELDS} fields`;
  report({ path: ["fields"], message, fix: "remove some; all are ignored until then" });
  return [];
}

function countOf(fields: readonly Field[]): number {
  return fields.reduce((count, field) => count + 1 + countOf(field.fields), 0);
}
