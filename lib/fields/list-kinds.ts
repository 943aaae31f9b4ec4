/** Kinds of choices and lists. */
import type { Field, FieldFinding, FieldKind } from "./contract.js";
import { isEmpty } from "./check-fields.js";
import { checkText, textInFile, toText } from "./value-kinds.js";

const INVALID: FieldFinding = { issue: "option", rest: "has an invalid selection." };

const choice = (control: string): FieldKind => ({
  control,
  coerce: toText,
  texts: textInFile,
  check: (value, { options }) =>
    options.some((option) => option.value === value) ? null : INVALID,
  jsonSchema: ({ options }) => ({ type: "string", enum: options.map(({ value }) => value) }),
});

function toList(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [value];
}

/** Kind and size of a list. */
export function checkList(value: unknown, { min, max }: Field): FieldFinding | null {
  if (!Array.isArray(value)) return { issue: "kind", rest: "must be a list." };
  if (min !== null && value.length < min)
    return { issue: "min", rest: `requires at least ${min} item(s).` };
  if (max !== null && value.length > max)
    return { issue: "max", rest: `allows at most ${max} item(s).` };
  return null;
}

/** Bounds of a list in JSON Schema. */
export function listBounds({ min, max }: Field): Record<string, number> {
  return { ...(min !== null && { minItems: min }), ...(max !== null && { maxItems: max }) };
}

const listOf = (control: string, item: Pick<FieldKind, "check" | "jsonSchema">): FieldKind => ({
  control,
  coerce: (value) => toList(value).map(toText),
  texts: (value, texts) => {
    if (!Array.isArray(value)) return textInFile(value, texts);
    const written: readonly unknown[] = Array.isArray(texts) ? texts : [];
    return value.map((one: unknown, at) => textInFile(one, written[at]));
  },
  check: (value, field, depth) => {
    const finding = checkList(value, field);
    if (finding !== null || !Array.isArray(value)) return finding;
    return value.flatMap((one, index) => {
      const issues = item.check(one, field, depth);
      const list = issues === null ? [] : "issue" in issues ? [issues] : issues;
      return list.map((one) => ({ ...one, at: String(index) }));
    });
  },
  jsonSchema: (field) => ({ type: "array", items: item.jsonSchema(field), ...listBounds(field) }),
});

function taxonomyName(value: unknown): string {
  if (typeof value === "string" && value !== "") return value;
  throw new Error(`from: received ${JSON.stringify(value)}, expected the name of a taxonomy`);
}

const anyText = { min: null, max: null, pattern: null };

/** The kinds of choices and lists, by name. */
export const listKinds: Readonly<Record<string, FieldKind>> = {
  select: choice("select"),
  radio: choice("radio"),
  checkboxes: listOf("checkboxes", choice("checkboxes")),
  tags: {
    ...listOf("tags", {
      check: (value) => checkText(value, anyText),
      jsonSchema: () => ({ type: "string" }),
    }),
    read: ({ from }) => (isEmpty(from) ? {} : { from: taxonomyName(from) }),
  },
  list: {
    control: "list",
    coerce: toList,
    check: checkList,
    jsonSchema: (field) => ({ type: "array", ...listBounds(field) }),
  },
};
