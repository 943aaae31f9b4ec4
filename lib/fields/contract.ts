/** The field language: fields of records, pages, blocks and forms, and the kinds they have. */

/** Why a value does not fit its field. */
export type FieldIssue = "required" | "kind" | "option" | "min" | "max" | "format" | "depth";

/** A field as its definition describes it. */
export interface Field {
  readonly name: string;
  /** Name of its kind: `text`, `date`, … */
  readonly type: string;
  readonly kind: FieldKind;
  /** Display text; the name when the definition has no label. */
  readonly label: string;
  /** A sentence below the form control; empty without one. */
  readonly help: string;
  readonly required: boolean;
  /** Used when there is no value; undefined: no default. */
  readonly default: unknown;
  /** True for `default: now`: new pages and records get the time of their creation. `default` is undefined then. */
  readonly defaultsToNow: boolean;
  /** Choices, in order. */
  readonly options: readonly FieldOption[];
  /** Bounds of a number, of a text's length, of a list's size. */
  readonly min: number | null;
  readonly max: number | null;
  /** Source of a regular expression that the whole text must match. */
  readonly pattern: string | null;
  /** Fields beside it and the values one of which each must have; otherwise the field is not checked. */
  readonly when: Readonly<Record<string, readonly unknown[]>> | null;
  /** Heading and tab of forms; empty without one. */
  readonly group: string;
  readonly tab: string;
  /** Fields of each value of an `object` or `structure`. */
  readonly fields: readonly Field[];
  /** Values that its kind read from other keys of the definition. */
  readonly more: Readonly<Record<string, unknown>>;
}
/** A choice. */
export interface FieldOption {
  readonly value: string;
  readonly label: string;
}

/** A value that does not fit. The label and a space come before `rest`. */
export interface FieldFinding {
  readonly issue: FieldIssue;
  /** `must be a number.` */
  readonly rest: string;
  /** The path below the field: `2.title`. */
  readonly at?: string;
  /** Label to show instead of the field's own, for a finding below it. */
  readonly label?: string;
}
/** An error of a value. */
export interface FieldError {
  /** Name of the field, with the way to a nested one: `steps.2.title`. */
  readonly field: string;
  readonly issue: FieldIssue;
  /** Display text with the field's label. */
  readonly message: string;
}

/** Something outside a page or record that a value names. */
export interface FieldReference {
  /** The kind of the target: `page`, `record`, `media`, `user`. */
  readonly target: string;
  /** Its key, as written. */
  readonly key: string;
  /** The field that names it. */
  readonly field: Field;
  /** Way from the values to the key: `["steps", 2, "author"]`. */
  readonly at: readonly (string | number)[];
}

/** When something is created. */
export interface FieldMoment {
  /** Unix ms. */
  readonly now: number;
  /** IANA name of the time zone of the site. */
  readonly timezone: string;
}

/** A JSON Schema. */
export type JsonSchema = Readonly<Record<string, unknown>>;

/** A kind of fields: how its values are converted, checked, described and edited. */
export interface FieldKind {
  /** Form control: `text`, `textarea`, `number`, `checkbox`, … or a name of your own. */
  readonly control: string;
  /** Reads keys of a definition beyond the common ones. @throws an `Error` whose message says what is wrong. */
  read?(definition: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>>;
  /**
   * Converts a value from a form or a hand-written file; an invalid one is returned as it is. `depth`: 1
   * for fields of a record or page, more for those of nested values.
   */
  coerce?(value: unknown, field: Field, depth: number): unknown;
  /**
   * The value with texts as they stand in the file (`1.10`); `texts` has the shape of the value. Absent: the
   * kind has no texts.
   */
  texts?(value: unknown, texts: unknown, field: Field): unknown;
  /** The value of `default: now` at a moment. Absent: `now` is a default like any other. */
  valueAt?(moment: FieldMoment): string;
  /** Checks a coerced value that is not empty. Null or an empty list: it fits. */
  check(value: unknown, field: Field, depth: number): FieldFinding | readonly FieldFinding[] | null;
  /** Lists the targets that a value names; `at` starts below the value. Absent: it names none. */
  references?(value: unknown, field: Field): readonly FieldReference[];
  jsonSchema(field: Field): JsonSchema;
}
