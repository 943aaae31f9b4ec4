import { isRecord } from "./is-record.js";

/** A path in data: keys of mappings and indexes of lists. */
export type KeyPath = readonly (string | number)[];

/** `a.b[0].c`. */
export function formatKey(path: KeyPath): string {
  return path.reduce<string>((text, part) => {
    if (typeof part === "number") return `${text}[${part}]`;
    return text === "" ? part : `${text}.${part}`;
  }, "");
}

/** The value at `path`, own properties only; undefined when it is missing. */
export function valueAt(data: unknown, path: KeyPath): unknown {
  return path.reduce<unknown>((value, part) => {
    if (Array.isArray(value)) return typeof part === "number" ? value[part] : undefined;
    return isRecord(value) && Object.hasOwn(value, part) ? value[part] : undefined;
  }, data);
}
