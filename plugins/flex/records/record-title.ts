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

/** Creation day of a record as YYYY-MM-DD, UTC; null for an invalid time. */
export function recordDay({ _createdAt: time }: FlexRecord): string | null {
  const date = new Date(time);
  return Number.isNaN(date.getTime()) ? null : date.toISOString().slice(0, 10);
}

/** Public address of a record. */
export function recordRoute({ _type, _id }: FlexRecord): string {
  return `/flex/${_type}/${_id}`;
}
