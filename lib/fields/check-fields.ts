/** Converts and checks values against their fields. */
import { nearest, isRecord } from "#lib/values";
import { isEqualValue } from "#lib/yaml";
import type { Field, FieldError, FieldFinding, FieldMoment } from "./contract.js";

/** Values by the names of their fields. */
type Data = Readonly<Record<string, unknown>>;

/** Errors that are reported of one map of values. */
const MAX_ERRORS = 100;
/** Levels of objects, structures and blocks within each other. */
const MAX_DEPTH = 10;

/** The converted non-empty values of these fields, and what does not fit. */
export function checkFields(
  fields: readonly Field[],
  data: Data,
): { values: Record<string, unknown>; errors: FieldError[] } {
  const values = coerceFields(fields, data, 1);
  const errors = findingsOf(fields, values, 1).map(({ issue, rest, at = "", label }) => ({
    field: at,
    issue,
    message: `${label ?? at} ${rest}`,
  }));
  return { values, errors: errors.slice(0, MAX_ERRORS) };
}

/** A value of a file that does not fit its field. */
export interface ValueMistake {
  /** From the values to the one that is wrong: `["links", 0, "url"]`. */
  readonly path: readonly [string, ...(string | number)[]];
  /** The value there; undefined when it is missing. */
  readonly received: unknown;
  /** `a number`, `one of "light", "dark"`. */
  readonly expected: string;
  readonly fix: string;
}

/** Forms of texts, by kind and an example. */
const FORMS: Readonly<Record<string, string>> = {
  color: "a colour such as #0b6e99",
  file: "a path on this site, or a web address",
};

/** The values of a file that do not fit these fields; keys of no field are not checked. */
export function valueMistakes(fields: readonly Field[], data: Data): readonly ValueMistake[] {
  const values = coerceFields(fields, data, 1);
  return findingsOf(fields, values, 1).flatMap((finding): ValueMistake[] => {
    const [name, ...below] = (finding.at ?? "").split(".");
    const first = fields.find((field) => field.name === name);
    if (first === undefined) return [];
    const field = below.reduce(
      (at, part) => at.fields.find((one) => one.name === part) ?? at,
      first,
    );
    const path = [first.name, ...below.map(toStep)] as const;
    const received = path.reduce<unknown>(
      (value, part) =>
        isRecord(value) || Array.isArray(value) ? Reflect.get(value, part) : undefined,
      data,
    );
    const expected = expectedBy(field, finding);
    return [{ path, received, expected, fix: suggestFix(field, received) }];
  });
}

function toStep(part: string): string | number {
  return /^\d+$/.test(part) ? Number(part) : part;
}

function expectedBy({ type, options, pattern }: Field, { issue, rest }: FieldFinding): string {
  if (issue === "required") return "a value";
  if (issue === "option" && options.length > 0) {
    return `one of ${options.map(({ value }) => JSON.stringify(value)).join(", ")}`;
  }
  if (issue === "format" && pattern !== null) return `text of the form /${pattern}/`;
  const [, expected] = /^(?:must be|must have|requires|allows) (.*)\.$/s.exec(rest) ?? [];
  return expected ?? FORMS[type] ?? `a value of kind ${type}`;
}

function suggestFix({ options }: Field, received: unknown): string {
  const values = options.map(({ value }) => value);
  const meant = typeof received === "string" ? nearest(received, values) : null;
  if (meant !== null) return `did you mean ${JSON.stringify(meant)}?`;
  return received === undefined ? "add the key" : "correct the value, or remove the key";
}

/** The converted non-empty values of these fields. Missing ones have their defaults. */
export function coerceFields(
  fields: readonly Field[],
  data: Data,
  depth: number,
): Record<string, unknown> {
  const values: Record<string, unknown> = {};
  for (const field of fields) {
    const value = coerceValue(field, ownValue(data, field.name), depth);
    if (value !== undefined) values[field.name] = value;
  }
  return values;
}

/** The defaults of the fields that something new has no value for, `now` as the moment of its creation. */
export function initialValues(
  fields: readonly Field[],
  data: Data,
  moment: FieldMoment,
): Record<string, unknown> {
  const missing = fields.filter((field) => isEmpty(ownValue(data, field.name)));
  const initial = new Map(missing.map((field) => [field, initialValue(field, moment)]));
  const values = { ...data };
  for (const [{ name }, value] of initial) if (value !== undefined) values[name] = value;
  const retained = [...initial].filter(
    ([field, value]) => value !== undefined && isConditionMet(field, values),
  );
  return Object.fromEntries(retained.map(([{ name }, value]) => [name, value]));
}

/** The default of a field, `now` as a moment; undefined without one. */
export function initialValue(field: Field, moment: FieldMoment): unknown {
  return field.defaultsToNow ? field.kind.valueAt?.(moment) : field.default;
}

/**
 * Converts a value from a form or hand-written file to the kind of its field. Invalid values are
 * unchanged and fail the check. A missing value becomes the field's default.
 */
export function coerceValue(field: Field, value: unknown, depth = 1): unknown {
  if (isEmpty(value)) return field.default;
  // The check reports what is nested deeper.
  if (field.kind.coerce === undefined || depth > MAX_DEPTH) return value;
  return field.kind.coerce(value, field, depth);
}

/**
 * The values of a file in which fields of a text kind are the texts in the file; `data` itself when none differs.
 * `texts`: the same values, with numbers and booleans as they are written; keys without any may be missing.
 */
export function fieldTexts(fields: readonly Field[], data: Data, texts: unknown): Data {
  const written = isRecord(texts) ? texts : {};
  const changed: Record<string, unknown> = {};
  for (const field of fields) {
    const { name, kind } = field;
    if (kind.texts === undefined || !Object.hasOwn(data, name)) continue;
    const value = kind.texts(data[name], ownValue(written, name), field);
    if (!isEqualValue(value, data[name])) changed[name] = value;
  }
  return Object.keys(changed).length === 0 ? data : { ...data, ...changed };
}

/** The mistakes in converted values; `at` starts with the field's name. */
export function findingsOf(
  fields: readonly Field[],
  values: Data,
  depth: number,
): readonly FieldFinding[] {
  if (depth > MAX_DEPTH) {
    return [{ issue: "depth", rest: `is nested deeper than ${MAX_DEPTH} levels.` }];
  }
  const findings: FieldFinding[] = [];
  for (const field of fields) {
    if (!isConditionMet(field, values)) continue;
    for (const finding of findingsIn(field, ownValue(values, field.name), depth)) {
      const { at, label = field.label } = finding;
      const path = at === undefined ? field.name : `${field.name}.${at}`;
      findings.push({ ...finding, at: path, label });
    }
    if (findings.length >= MAX_ERRORS) break;
  }
  return findings;
}

/** True when the condition of a field is met. */
export function isConditionMet({ when }: Field, values: Data): boolean {
  if (when === null) return true;
  return Object.entries(when).every(([name, allowed]) => {
    const value = ownValue(values, name);
    const items: readonly unknown[] = Array.isArray(value) ? value : [value];
    return items.some((one) => allowed.includes(one));
  });
}

function findingsIn(field: Field, value: unknown, depth: number): readonly FieldFinding[] {
  if (isEmpty(value)) return field.required ? [{ issue: "required", rest: "is required." }] : [];
  const issues = field.kind.check(value, field, depth);
  if (issues === null) return [];
  return "issue" in issues ? [issues] : issues;
}

function ownValue(data: Data, name: string): unknown {
  return Object.hasOwn(data, name) ? data[name] : undefined;
}

/** True for values that count as missing. */
export function isEmpty(value: unknown): boolean {
  return (
    value === undefined ||
    value === null ||
    value === "" ||
    (Array.isArray(value) && value.length === 0)
  );
}
