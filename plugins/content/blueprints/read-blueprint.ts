/** Page types and blocks from the values of their files. */
import { z } from "zod";
import { isRecord, type Field, type FieldKinds } from "#kernel";
import { nearest } from "#lib/values";
import { readData } from "#lib/schema";
import { readFields } from "#lib/fields";
import type { BlockType, Blueprint } from "../contract.js";
import type { TermField, TermFields, TextFields } from "../index/tree-nodes.js";
import type { BlueprintFile, BlueprintMistake, BlueprintProblems } from "./blueprint-files.js";

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
interface FileValues {
  readonly file: BlueprintFile;
  readonly values: Readonly<Record<string, unknown>>;
  readonly report: (mistake: BlueprintMistake) => void;
  readonly known: BlueprintNames;
}
/** The kinds and taxonomies that fields may name. */
export interface BlueprintNames {
  readonly kinds: FieldKinds;
  /** Taxonomies of the site. */
  readonly taxonomies: readonly string[];
}

/** The page types of these files. Invalid keys and fields are left out and reported. */
export function readBlueprints(
  files: readonly BlueprintFile[],
  declared: BlueprintNames,
  problems: BlueprintProblems,
): readonly Blueprint[] {
  return mergeFiles(files, declared, problems).map((file): Blueprint => {
    const { name } = file.file;
    const { title = name, template: drawnBy = name, ...read } = valid(file, pageShape);
    const { children, parents, status, naming, columns } = read;
    const fields = readDefinitions(file, read.fields);
    const show = checkShown(file, read.show, fields);
    const rules = { children, parents, status, naming };
    return { name, title, template: drawnBy, fields, ...rules, columns, show };
  });
}

/** The names that are fields; the others are reported. */
function checkShown(
  { report }: FileValues,
  names: readonly string[],
  fields: readonly Field[],
): string[] {
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
  declared: BlueprintNames,
  problems: BlueprintProblems,
): readonly BlockType[] {
  return mergeFiles(files, declared, problems).map((file): BlockType => {
    const { name } = file.file;
    const { label = name, fields } = valid(file, blockShape);
    return { name, label, fields: readDefinitions(file, fields) };
  });
}

function mergeFiles(
  files: readonly BlueprintFile[],
  declared: BlueprintNames,
  problems: BlueprintProblems,
): readonly FileValues[] {
  const byName = new Map(files.map((file) => [file.name, file]));
  return files.flatMap((file): FileValues[] => {
    if (file.source === null) return [];
    const say = problems.of(file.path, file.source);
    // What a file inherits is reported with the file that has it.
    const report = (mistake: BlueprintMistake): void =>
      isOwn(file, mistake.path ?? []) ? say(mistake) : undefined;
    return [{ file, values: extended(file, byName, report), report, known: declared }];
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
  { values, report }: FileValues,
  shape: S,
): z.output<z.ZodObject<S>> {
  const result: Record<string, unknown> = { ...values };
  for (const key of Object.keys(values)) {
    if (Object.hasOwn(shape, key)) continue;
    const near = nearest(key, Object.keys(shape));
    const fix = near === null ? "remove it" : `did you mean ${near}?`;
    report({ path: [key], message: "there is no such key", fix });
    delete result[key];
  }
  const schema = z.object(shape);
  const { data, mistakes } = readData(schema, result);
  if (mistakes === null) return data;
  for (const { path, message, fix } of mistakes) {
    report({ path: path.map(String), message, fix });
    delete result[String(path[0])];
  }
  return schema.parse(result);
}

function readDefinitions(
  { known, report }: FileValues,
  definitions: Readonly<Record<string, unknown>>,
): readonly Field[] {
  // `price: false` removes an inherited field.
  const wantedFields = Object.fromEntries(
    Object.entries(definitions).filter(([, value]) => value !== false),
  );
  const { fields, problems } = readFields(wantedFields, known.kinds);
  for (const { path, message, fix = LEFT_OUT } of problems) report({ path, message, fix });
  for (const mistake of unknownTaxonomies(fields, known.taxonomies)) report(mistake);
  if (countFields(fields) <= MAX_FIELDS) return fields;
  const message = `there are more than ${MAX_FIELDS} fields`;
  report({ path: ["fields"], message, fix: "remove some; all are ignored until then" });
  return [];
}

function countFields(fields: readonly Field[]): number {
  return fields.reduce((count, field) => count + 1 + countFields(field.fields), 0);
}

/** Maximum length of a chain of `extends`. */
const MAX_CHAIN = 10;

type Values = Readonly<Record<string, unknown>>;

/** The values of a file with those of the files it extends; its own win, fields by name. */
function extended(
  file: BlueprintFile,
  byName: ReadonlyMap<string, BlueprintFile>,
  report: (mistake: BlueprintMistake) => void,
): Values {
  const chain = [file];
  for (let at: BlueprintFile | null = file; at !== null;) {
    const next = findBase(at, byName, chain);
    at = next?.base ?? null;
    if (at !== null) chain.push(at);
    // A mistake further up is reported with the file that has it.
    else if (next !== null && (chain.length === 1 || next.leadsTo === file))
      report({ path: ["extends"], message: next.mistake, fix: "correct it or remove it" });
  }
  return chain.map(({ source }) => source?.data ?? {}).reduceRight(merged);
}

/** The file that a file extends, or a mistake; null when it extends none. */
function findBase(
  { source }: BlueprintFile,
  byName: ReadonlyMap<string, BlueprintFile>,
  chain: readonly BlueprintFile[],
): { base: BlueprintFile | null; mistake: string; leadsTo: BlueprintFile | null } | null {
  const name = source?.data["extends"] ?? null;
  if (name === null) return null;
  const base = typeof name === "string" ? byName.get(name) : undefined;
  if (base === undefined) return { base: null, mistake: unknown(name, byName), leadsTo: null };
  const mistake = findFault(base, chain);
  return { base: mistake === null ? base : null, mistake: mistake ?? "", leadsTo: base };
}

function unknown(name: unknown, byName: ReadonlyMap<string, BlueprintFile>): string {
  const near = typeof name === "string" ? nearest(name, [...byName.keys()]) : null;
  const hint = near === null ? "" : `; did you mean ${near}?`;
  return `there is no file ${JSON.stringify(name)} to extend${hint}`;
}

function findFault(base: BlueprintFile, chain: readonly BlueprintFile[]): string | null {
  const names = [...chain, base].map(({ name }) => name);
  if (chain.includes(base)) return `the chain leads back: ${names.join(" → ")}`;
  if (chain.length >= MAX_CHAIN) return `more than ${MAX_CHAIN} files extend each other`;
  return base.source === null ? `${base.path} cannot be read` : null;
}

function merged(base: Values, overriding: Values): Values {
  const [below, above] = [base["fields"], overriding["fields"]];
  const isBoth = isRecord(below) && isRecord(above);
  // These texts name one type only.
  const { title: _title, label: _label, ...inherited } = base;
  return { ...inherited, ...overriding, ...(isBoth && { fields: { ...below, ...above } }) };
}

/** The fields of kind `tags` with `from`, by template. Nested ones have no terms. */
export function listTermFields(blueprints: readonly Blueprint[]): TermFields {
  const all = blueprints.map(({ name, fields }): [string, readonly TermField[]] => [
    name,
    fields.flatMap(termField),
  ]);
  return new Map(all.filter(([, fields]) => fields.length > 0));
}

/** The fields of page types whose values are the texts in the file. */
export function listTextFields(
  blueprints: readonly Blueprint[],
  blocks: readonly BlockType[],
): TextFields {
  const byTemplate = new Map(
    blueprints.map(({ name, fields }) => [
      name,
      fields.filter(({ kind }) => kind.texts !== undefined),
    ]),
  );
  const shapes = [...blueprints, ...blocks].map(({ name, fields }) => [name, fields.map(toShape)]);
  return { of: (template) => byTemplate.get(template) ?? [], stamp: JSON.stringify(shapes) };
}

function toShape({ name, type, fields }: Field): unknown {
  return fields.length === 0 ? [name, type] : [name, type, fields.map(toShape)];
}

/** Mistakes of fields whose taxonomy the site does not have. */
function unknownTaxonomies(
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
