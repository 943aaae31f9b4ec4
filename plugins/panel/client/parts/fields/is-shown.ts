import type { Field } from "../../api/content/page-types.js";

/** True when the fields beside it have the values that its condition names; of lists, one value is enough. */
export function isShown({ when, type }: Field, values: Readonly<Record<string, unknown>>): boolean {
  if (type === "hidden") return false;
  return Object.entries(when ?? {}).every(([name, allowed]) => {
    const value = values[name];
    const own: readonly unknown[] = Array.isArray(value) ? value : [value];
    return own.some((one) => allowed.includes(one));
  });
}
