import { z } from "zod";
import type { Field } from "#kernel/internal";

const text = z.string();

/** A field of a page type or record type, as forms read it. */
export const formField = z.looseObject({
  ...{ name: text, type: text, control: text, label: text, help: text, required: z.boolean() },
  ...{ group: text, tab: text, fields: z.array(z.unknown()) },
});

/** A field as JSON: its kind is its name and its form control. */
export function formFieldOf({ kind, fields, ...field }: Field): z.input<typeof formField> {
  return { ...field, control: kind.control, fields: fields.map(formFieldOf) };
}
