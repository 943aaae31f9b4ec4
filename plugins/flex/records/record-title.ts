import { zoneDay } from "#kernel/internal";
import type { FlexRecord, FlexType } from "../contract.js";

/** The title of a record: its name or title, else its first text, else its id. */
export function recordTitle(type: FlexType, record: FlexRecord): string {
  const firstText = type.fields.find((field) => field.type === "text")?.name ?? "";
  for (const field of ["name", "title", firstText]) {
    const value = record[field];
    if (typeof value === "string" && value !== "") return value;
  }
  return record._id;
}

/** Dates end at ±8.64e15 ms; no zone is a day away from UTC. */
const MAX_TIME = 8.64e15 - 86_400_000;

/** Creation day of a record in the site's zone as YYYY-MM-DD; null for an invalid time. */
export function recordDay({ _createdAt: time }: FlexRecord, timezone: string): string | null {
  return Math.abs(time) <= MAX_TIME ? zoneDay(time, timezone) : null;
}

/** Public address of a record. */
export function recordRoute({ _type, _id }: FlexRecord): string {
  return `/flex/${_type}/${_id}`;
}
