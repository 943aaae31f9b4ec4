import type { VNode } from "preact";
import type { Field } from "../../api/content/page-types.js";
import type { ControlProps, InnerError } from "./control-props.js";
import { FieldSet } from "./field-set.js";

/** Values inside a value. */
export type Values = Readonly<Record<string, unknown>>;

/** The fields of an object, of an item, or of a block. */
export function NestedFields(props: {
  fields: readonly Field[];
  values: Values;
  errors: readonly InnerError[];
  isEditable: boolean;
  Nested: ControlProps["Nested"];
  onChange(values: Values): void;
}): VNode {
  const { fields, values, errors, isEditable, onChange, Nested } = props;
  const set = (name: string, value: unknown): void => {
    const { [name]: _old, ...others } = values;
    onChange(value === undefined ? others : { ...values, [name]: value });
  };
  return (
    <FieldSet
      {...{ fields, values, errors, isEditable }}
      heading="h4"
      Input={Nested}
      onChange={set}
    />
  );
}

/** A map of values; an empty one for anything else. */
export function valuesOf(value: unknown): Values {
  return typeof value === "object" && value !== null && !Array.isArray(value) ? { ...value } : {};
}

/** A few words of the first text inside values. */
export function summaryOf(values: Values, fields: readonly Field[]): string {
  for (const { name, type } of fields) {
    const value = values[name];
    if (type !== "hidden" && typeof value === "string" && value.trim() !== "") {
      return value.trim().slice(0, 80);
    }
  }
  return "";
}

/** The values that new items begin with. */
export function startValues(fields: readonly Field[]): Values {
  const given = fields.filter((field) => field.default !== undefined && field.default !== null);
  return Object.fromEntries(given.map((field) => [field.name, field.default]));
}
