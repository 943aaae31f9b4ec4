/** Kinds of numbers, switches, dates and times. */
import { zoneDay, zoneMoment } from "#lib/dates";
import type { Field, FieldFinding, FieldKind, JsonSchema } from "./contract.js";
import { toText } from "./text-kinds.js";

/** The day of a date with a time. */
const DAY = /^(\d{4}-\d{2}-\d{2})[T ]\d{2}:\d{2}/;
const MOMENT =
  /^(\d{4}-\d{2}-\d{2})[T ](\d{2}:\d{2}(?::\d{2})?)(?:\.\d{1,9})?(Z|[+-]\d{2}:\d{2})?$/;
const TIME = /^(?:[01]\d|2[0-3]):[0-5]\d(?::[0-5]\d)?$/;

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

function toNumber(value: unknown): unknown {
  if (typeof value !== "string" || value.trim() === "") return value;
  const number = Number(value);
  return Number.isFinite(number) ? number : value;
}

function checkNumber(value: unknown, { min, max }: Field): FieldFinding | null {
  if (typeof value !== "number" || !Number.isFinite(value)) {
    return { issue: "kind", rest: "must be a number." };
  }
  if (min !== null && value < min) return { issue: "min", rest: `must be at least ${min}.` };
  if (max !== null && value > max) return { issue: "max", rest: `must be at most ${max}.` };
  return null;
}

const number = (control: string): FieldKind => ({
  control,
  coerce: toNumber,
  check: checkNumber,
  jsonSchema: ({ min, max }) => ({
    type: "number",
    ...(min !== null && { minimum: min }),
    ...(max !== null && { maximum: max }),
  }),
});

function when(
  control: string,
  { rest, isFit, schema }: { rest: string; isFit(value: string): boolean; schema: JsonSchema },
): Pick<FieldKind, "control" | "check" | "jsonSchema"> {
  return {
    control,
    check: (value) =>
      typeof value === "string" && isFit(value) ? null : { issue: "format", rest },
    jsonSchema: () => ({ type: "string", ...schema }),
  };
}

/** The kinds of values that are compared: numbers, switches, dates and times. */
export const valueKinds: Readonly<Record<string, FieldKind>> = {
  number: number("number"),
  range: number("range"),
  toggle: {
    control: "checkbox",
    coerce: (value) => TOGGLES.get(value) ?? value,
    check: (value) =>
      typeof value === "boolean" ? null : { issue: "kind", rest: "must be true or false." },
    jsonSchema: () => ({ type: "boolean" }),
  },
  date: {
    ...when("date", {
      rest: "must be a valid date in YYYY-MM-DD format.",
      isFit: isDay,
      schema: { format: "date" },
    }),
    coerce: (value) => (typeof value === "string" ? (DAY.exec(value)?.[1] ?? value) : value),
    valueAt: ({ now, timezone }) => zoneDay(now, timezone),
  },
  datetime: {
    ...when("datetime", {
      rest: "must be a date with a time, such as 2027-06-01T09:00 or 2027-06-01T09:00+02:00.",
      isFit: isMoment,
      schema: { pattern: MOMENT.source },
    }),
    coerce: (value) =>
      typeof value === "string" ? value.replace(/^(\d{4}-\d{2}-\d{2}) (?=\d)/, "$1T") : value,
    valueAt: ({ now, timezone }) => zoneMoment(now, timezone),
  },
  time: {
    ...when("time", {
      rest: "must be a time in HH:MM format.",
      isFit: (value) => TIME.test(value),
      schema: { pattern: TIME.source },
    }),
    coerce: toText,
    valueAt: ({ now, timezone }) => zoneMoment(now, timezone).slice(11, 16),
  },
};

function isDay(value: string): boolean {
  if (!/^\d{4}-\d{2}-\d{2}$/.test(value)) return false;
  const date = new Date(`${value}T00:00:00Z`);
  return !Number.isNaN(date.getTime()) && date.toISOString().startsWith(value);
}

function isMoment(value: string): boolean {
  const [, day = "", time = "", zone = ""] = MOMENT.exec(value) ?? [];
  if (!isDay(day) || !TIME.test(time)) return false;
  return !Number.isNaN(Date.parse(`${day}T${time}${zone === "" ? "Z" : zone}`));
}
