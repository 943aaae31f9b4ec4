import { language } from "../../app/texts.js";

const UNITS = ["byte", "kilobyte", "megabyte", "gigabyte"] as const;

/** `1.2 MB`, in the person's language. */
export function fileSize(bytes: number): string {
  let value = bytes;
  let at = 0;
  while (value >= 1_000 && at < UNITS.length - 1) {
    value /= 1_000;
    at += 1;
  }
  const unit = UNITS[at] ?? "byte";
  const maximumFractionDigits = at === 0 ? 0 : 1;
  return value.toLocaleString(language, { style: "unit", unit, maximumFractionDigits });
}
