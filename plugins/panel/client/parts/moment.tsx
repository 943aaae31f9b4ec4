import type { VNode } from "preact";
import { language } from "../app/texts.js";

const UNITS: readonly [Intl.RelativeTimeFormatUnit, number][] = [
  ["day", 86_400_000],
  ["hour", 3_600_000],
  ["minute", 60_000],
];
const relative = new Intl.RelativeTimeFormat(language, { numeric: "auto" });
const absolute = new Intl.DateTimeFormat(language, { dateStyle: "medium", timeStyle: "short" });
const MAX_RELATIVE_MS = 7 * 86_400_000;

interface MomentProps {
  /** Unix ms, or a time as text. */
  at: number | string;
}

/** A moment in the person's language: "3 hours ago", with date and time as a tooltip. */
export function Moment({ at }: MomentProps): VNode {
  const date = new Date(at);
  if (Number.isNaN(date.getTime())) return <span>{String(at)}</span>;
  return (
    <time dateTime={date.toISOString()} title={absolute.format(date)}>
      {shortMoment(date)}
    </time>
  );
}

/** Date and time in the person's language. */
export function fullMoment(at: number | string): string {
  return absolute.format(new Date(at));
}

function shortMoment(date: Date): string {
  const distance = date.getTime() - Date.now();
  if (Math.abs(distance) > MAX_RELATIVE_MS) return absolute.format(date);
  for (const [unit, ms] of UNITS) {
    if (Math.abs(distance) >= ms) return relative.format(Math.round(distance / ms), unit);
  }
  return relative.format(Math.round(distance / 1_000), "second");
}
