import type { FlexField, FlexType } from "../../plugins/flex/contract.js";

/** A field with defaults for everything missing in `more`. */
export function flexField(
  name: string,
  type: FlexField["type"],
  more: Partial<FlexField> = {},
): FlexField {
  return {
    name,
    type,
    label: name.charAt(0).toUpperCase() + name.slice(1),
    required: false,
    default: undefined,
    options: [],
    min: null,
    max: null,
    pattern: null,
    ...more,
  };
}

/** A type of these fields. */
export function flexType(fields: readonly FlexField[], more: Partial<FlexType> = {}): FlexType {
  return {
    name: "product",
    title: "Products",
    icon: "",
    description: "",
    version: 0,
    fields,
    ...more,
  };
}
