import { type Field, FieldKinds } from "#kernel";
import assert from "node:assert/strict";
import type { FlexType } from "../../../plugins/flex/contract.js";

/** The built-in kinds of fields. */
export const kinds = new FieldKinds();

/** A field with defaults for everything missing in `more`. */
export function flexField(name: string, type: string, more: Partial<Field> = {}): Field {
  return {
    name,
    type,
    kind: kinds.get(type) ?? assert.fail(type),
    help: "",
    label: name.charAt(0).toUpperCase() + name.slice(1),
    required: false,
    default: undefined,
    defaultsToNow: false,
    options: [],
    min: null,
    max: null,
    pattern: null,
    when: null,
    group: "",
    tab: "",
    fields: [],
    more: {},
    ...more,
  };
}

/** A type of these fields. */
export function flexType(fields: readonly Field[], more: Partial<FlexType> = {}): FlexType {
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
