import { createContext, type ComponentType } from "preact";
import type { Field } from "../../api/answers.js";

/** An error that the server found in a value inside a field; `field` is the way to it: `2.title`. */
export interface InnerError {
  readonly field: string;
  readonly message: string;
}
/** A form control for one field. */
export interface FieldInputProps {
  field: Field;
  value: unknown;
  /** The error that the server found; null: none. */
  error: string | null;
  /** Errors that it found in values inside this one. */
  inner?: readonly InnerError[] | undefined;
  isEditable: boolean;
  /** Draws a field inside this one; absent: as this one is drawn. */
  Nested?: ComponentType<FieldInputProps>;
  /** Undefined removes the value. */
  onChange(value: unknown): void;
}
/** A control without label and messages. */
export interface ControlProps extends FieldInputProps {
  id: string;
  describedBy: string | undefined;
  Nested: ComponentType<FieldInputProps>;
}

/** The errors of one field among those of all, and of what is inside it. */
export function findErrors(
  all: readonly InnerError[],
  name: string,
): { error: string | null; inner: readonly InnerError[] } {
  const start = `${name}.`;
  return {
    error: all.find(({ field }) => field === name)?.message ?? null,
    inner: all.flatMap(({ field, message }) =>
      field.startsWith(start) ? [{ field: field.slice(start.length), message }] : [],
    ),
  };
}

/** The page that a form belongs to: names of files are resolved against it. */
export interface FieldScope {
  /** Source path of the page; null for records. */
  readonly pagePath: string | null;
}

/** Known to every control of a form. */
export const FieldScope = createContext<FieldScope>({ pagePath: null });

/** A field without settings, for forms that the panel itself describes. */
export function plainField(name: string, type: string, label: string): Field {
  return {
    name,
    type,
    label,
    help: "",
    required: false,
    options: [],
    min: null,
    max: null,
    pattern: null,
    when: null,
    group: "",
    tab: "",
    fields: [],
  };
}

/** True when the fields beside it have the values that its condition names; of lists, one value is enough. */
export function isShown({ when, type }: Field, values: Readonly<Record<string, unknown>>): boolean {
  if (type === "hidden") return false;
  return Object.entries(when ?? {}).every(([name, allowed]) => {
    const value = values[name];
    const list: readonly unknown[] = Array.isArray(value) ? value : [value];
    return list.some((one) => allowed.includes(one));
  });
}
