import { z } from "zod";
import type { Field } from "#kernel";
import { initialValue, type FieldMoment } from "#kernel/internal";

const text = z.string();

/** A field of a page type or record type, as forms read it. */
export const formField = z.looseObject({
  name: text,
  type: text,
  control: text,
  label: text,
  help: text,
  required: z.boolean(),
  group: text,
  tab: text,
  fields: z.array(z.unknown()),
});

/** Fields as JSON: a kind becomes its form control, and the default `now` the current time. */
export function formFieldsOf(
  fields: readonly Field[],
  moment: FieldMoment,
): z.input<typeof formField>[] {
  return fields.map((field) => {
    const { kind, defaultsToNow: _defaultsToNow, ...own } = field;
    return {
      ...own,
      default: initialValue(field, moment),
      control: kind.control,
      fields: formFieldsOf(field.fields, moment),
    };
  });
}
