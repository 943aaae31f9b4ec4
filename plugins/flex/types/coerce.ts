import type { FlexField } from "../contract.js";

/** True for values that count as missing. */
export function isEmpty(value: unknown): boolean {
  return (
    value === undefined ||
    value === null ||
    value === "" ||
    (Array.isArray(value) && value.length === 0)
  );
}

/**
 * Converts a value from a form or hand-written file to the type of its field. Invalid values are
 * unchanged and fail validation. A missing value becomes the field's default.
 */
export function coerceValue(field: FlexField, value: unknown): unknown {
  if (isEmpty(value)) return field.default;
  return (COERCIONS[field.type] ?? toText)(value);
}

const COERCIONS: { [T in FlexField["type"]]?: (value: unknown) => unknown } = {
  number: toNumber,
  toggle: (value) => TOGGLES.get(value) ?? value,
  list: (value) => (Array.isArray(value) ? value : [value]),
  date: (value) => (typeof value === "string" ? (DAY.exec(value)?.[1] ?? value) : value),
};

function toText(value: unknown): unknown {
  return typeof value === "number" || typeof value === "boolean" ? String(value) : value;
}

const TOGGLES = new Map<unknown, boolean>([
  ["true", true],
  ["on", true],
  ["1", true],
  [1, true],
  ["false", false],
  ["off", false],
  ["0", false],
  [0, false],
]);
// The day of a date with a time.
const DAY = /^(\d{4}-\d{2}-\d{2})[T ]\d{2}:\d{2}/;

function toNumber(value: unknown): unknown {
  if (typeof value !== "string" || value.trim() === "") return value;
  const number = Number(value);
  return Number.isFinite(number) ? number : value;
}
