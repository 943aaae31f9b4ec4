import type { Field } from "../../api/page-types.js";

/** True when the fields beside it have the values that its condition names. */
export function isShown({ when, type }: Field, values: Readonly<Record<string, unknown>>): boolean {
  if (type === "hidden") return false;
  return Object.entries(when ?? {}).every(([name, allowed]) => allowed.includes(values[name]));
}
