/** A form from the values of its file. */
import { z } from "zod";
import { isRecord, safeNext, type Field, type FieldKinds } from "#kernel";
import { nearest } from "#lib/values";
import { parseEmailAddress } from "#lib/text";
import { readData } from "#lib/schema";
import { readFields } from "#lib/fields";
import { nearestLine, type YamlSource } from "#lib/yaml";
import type { ContentProblem } from "../content/contract.js";

const MAX_FIELDS = 100;
/** Controls that a form of HTML can send. */
const CONTROLS: readonly string[] = [
  "text",
  "textarea",
  "email",
  "url",
  "slug",
  "color",
  "number",
  "range",
  "checkbox",
  "date",
  "datetime",
  "time",
  "select",
  "radio",
  "checkboxes",
];

const address = z
  .string()
  .refine((value) => parseEmailAddress(value) !== null, { error: "not an e-mail address" });
const shape = {
  title: z.string().min(1).max(200).optional(),
  submit: z.string().max(100).default(""),
  fields: z.record(z.string(), z.unknown()),
  thanks: z
    .string()
    .refine((value) => value !== "/" && safeNext(value) === value, {
      error: "not a path on this site, such as /thanks",
    })
    .nullable()
    .default(null),
  mail: z
    .strictObject({
      to: z.union([address, z.array(address).min(1).max(20)]),
      subject: z.string().max(200).default(""),
      reply_to: z.string().nullable().default(null),
    })
    .nullable()
    .default(null),
  webhook: z.boolean().default(false),
  store: z.boolean().default(true),
  retention_days: z.number().int().min(1).max(36_500).nullable().default(null),
};
const SHAPES = new Map<string, z.ZodType>(Object.entries(shape));

/** The values of a form, and how to read them. */
interface FormInput {
  readonly name: string;
  readonly data: Readonly<Record<string, unknown>>;
  readonly kinds: FieldKinds;
  report(mistake: FormMistake): void;
}

/** The form. Invalid keys and fields are left out and reported. */
export function readForm({ name, data, kinds, report }: FormInput): Form {
  const values = z.object(shape).parse({ fields: {}, ...valid(data, report) });
  const { title = name, mail, retention_days: retentionDays, ...rest } = values;
  const fields = parseFields(rest.fields, kinds, report);
  if (fields.length === 0) {
    report({ path: ["fields"], message: "the form has no fields", fix: "add one below `fields`" });
  }
  const replyTo = mail === null ? null : replyField(mail.reply_to, fields, report);
  return {
    name,
    ...rest,
    title,
    fields,
    retentionDays,
    mail: mail && { to: [mail.to].flat(), subject: mail.subject, replyTo },
  };
}

/** The keys that are known and valid. */
function valid(data: FormInput["data"], report: FormInput["report"]): Record<string, unknown> {
  const entries = Object.entries(data).filter(([key, value]) => {
    const schema = SHAPES.get(key);
    if (schema === undefined) {
      const near = nearest(key, [...SHAPES.keys()]);
      const fix = near === null ? "remove it" : `did you mean ${near}?`;
      report({ path: [key], message: `a form has no key ${JSON.stringify(key)}`, fix });
      return false;
    }
    const { mistakes } = readData(schema, value);
    for (const { path, message, fix } of mistakes ?? []) {
      report({ path: [key, ...path.map(String)], message, fix });
    }
    return mistakes === null;
  });
  return Object.fromEntries(entries);
}

function parseFields(
  definitions: Readonly<Record<string, unknown>>,
  kinds: FieldKinds,
  report: FormInput["report"],
): readonly Field[] {
  const { fields, problems } = readFields(definitions, kinds);
  for (const { path, message, fix = "correct the field" } of problems)
    report({ path, message, fix });
  const sendable = fields.filter(({ name, type, kind }) => {
    if (CONTROLS.includes(kind.control)) return true;
    const message = `visitors cannot fill in a field of kind ${JSON.stringify(type)}`;
    report({ path: ["fields", name, "type"], message, fix: `use ${CONTROLS.join(", ")}` });
    return false;
  });
  for (const field of sendable) reportConditions(field, sendable, report);
  if (sendable.length > MAX_FIELDS) {
    const fix = "split the form";
    report({ path: ["fields"], message: `the form has more than ${MAX_FIELDS} fields`, fix });
  }
  return sendable.slice(0, MAX_FIELDS);
}

function reportConditions(
  { name, when }: Field,
  fields: readonly Field[],
  report: FormInput["report"],
): void {
  for (const other of Object.keys(when ?? {})) {
    if (fields.some((field) => field.name === other)) continue;
    const message = `there is no field ${JSON.stringify(other)}: the field is never shown`;
    report({ path: ["fields", name, "when", other], message, fix: "name a field of this form" });
  }
}

function replyField(
  name: string | null,
  fields: readonly Field[],
  report: FormInput["report"],
): string | null {
  if (name === null) return null;
  if (fields.some((field) => field.name === name && field.kind.control === "email")) return name;
  const message = `there is no field ${JSON.stringify(name)} of kind email`;
  report({ path: ["mail", "reply_to"], message, fix: "name a field of kind email" });
  return null;
}

/** The values of a form with the texts of a translation: `contact.de.yaml` over `contact.yaml`. */
export function translated(
  base: Readonly<Record<string, unknown>>,
  translation: Readonly<Record<string, unknown>>,
): Record<string, unknown> {
  const fields = Object.entries(isRecord(base["fields"]) ? base["fields"] : {}).map(
    ([name, definition]) => [name, merged(definition, ofName(translation["fields"], name))],
  );
  const texts = ["title", "submit", "thanks"].filter((key) => Object.hasOwn(translation, key));
  return {
    ...base,
    ...Object.fromEntries(texts.map((key) => [key, translation[key]])),
    fields: Object.fromEntries(fields),
  };
}

function merged(definition: unknown, texts: unknown): unknown {
  if (!isRecord(definition) || !isRecord(texts)) return definition;
  const keys = ["label", "help", "options"].filter((key) => Object.hasOwn(texts, key));
  return { ...definition, ...Object.fromEntries(keys.map((key) => [key, texts[key]])) };
}

function ofName(fields: unknown, name: string): unknown {
  return isRecord(fields) && Object.hasOwn(fields, name) ? fields[name] : undefined;
}

/** A form as its file describes it. */
export interface Form {
  readonly name: string;
  readonly title: string;
  /** Text of the button; empty: the theme's. */
  readonly submit: string;
  readonly fields: readonly Field[];
  /** Path of the page after the form; null: the built-in one. */
  readonly thanks: string | null;
  readonly mail: FormMail | null;
  readonly webhook: boolean;
  readonly store: boolean;
  /** Days after which submissions are deleted; null: never. */
  readonly retentionDays: number | null;
}
/** The mail that a form sends. */
interface FormMail {
  readonly to: readonly string[];
  /** `{{field}}` stands for a value. */
  readonly subject: string;
  /** Name of the field with the address to reply to. */
  readonly replyTo: string | null;
}

const MAX_PROBLEMS = 500;
const MAX_SHOWN = 120;

/** A mistake in a file. */
export interface FormMistake {
  readonly message: string;
  readonly fix: string;
  /** Keys that lead to the place. */
  readonly path?: readonly string[];
  readonly line?: number;
  readonly severity?: "error" | "warning";
}

/** Collects the problems of the files of forms, with line, key and value. */
export class FormProblems {
  readonly #list: ContentProblem[] = [];

  get list(): readonly ContentProblem[] {
    return this.#list;
  }

  /** Reports mistakes of a file below the site root. */
  of(sourcePath: string, source: YamlSource | null): (mistake: FormMistake) => void {
    return ({ message, fix, path = [], line, severity = "error" }) => {
      if (this.#list.length >= MAX_PROBLEMS) return;
      const at = line ?? nearestLine(source, path);
      const value = path.length === 0 ? undefined : shown(readValue(source?.data, path));
      this.#list.push({
        sourcePath,
        severity,
        code: "ERR_FORMS_FILE",
        message,
        fix,
        ...(at !== undefined && { line: at }),
        ...(path.length > 0 && { key: path.join(".") }),
        ...(value !== undefined && { value }),
      });
    };
  }
}

function readValue(data: unknown, path: readonly string[]): unknown {
  return path.reduce<unknown>(
    (value, name) =>
      typeof value === "object" && value !== null
        ? Object.entries(value).find(([key]) => key === name)?.[1]
        : undefined,
    data,
  );
}

function shown(value: unknown): string | undefined {
  return value === undefined ? undefined : JSON.stringify(value)?.slice(0, MAX_SHOWN);
}
