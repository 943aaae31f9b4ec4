import type { Field } from "../../api/content/page-types.js";

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
