import { z } from "zod";
import { anyMap, text } from "./common.js";

/** A field of a page type or record type, as forms read it. */
export const formField = z.object({
  name: text,
  type: text.describe("Name of its kind: `text`, `date`, …"),
  control: text.describe("The form control of its kind"),
  label: text,
  help: text.describe("A sentence below the control; empty without one"),
  required: z.boolean(),
  default: z.unknown().optional(),
  options: z.array(z.object({ value: text, label: text })),
  min: z.number().nullable(),
  max: z.number().nullable(),
  pattern: text.nullable(),
  when: z
    .record(z.string(), z.array(z.unknown()))
    .nullable()
    .describe("Fields beside it and the values one of which each must have"),
  group: text,
  tab: text,
  more: anyMap.describe("What its kind reads: `of`, `from`, `blocks`"),
  get fields() {
    return z.array(formField).describe("Fields of each value of an `object` or `structure`");
  },
});
