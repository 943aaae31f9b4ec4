import type { FieldMoment } from "#kernel/internal";
import type { FlexRecord, FlexService, FlexType } from "../../../flex/contract.js";
import { formFieldsOf } from "../form-field.js";

/** A type with what a form needs of its fields. */
export function typeView(
  { fields, ...type }: FlexType,
  moment: FieldMoment,
): Record<string, unknown> {
  return { ...type, fields: formFieldsOf(fields, moment) };
}

/** The record with `_published`: false when it is hidden from visitors. */
export async function recordView(
  flex: FlexService,
  record: FlexRecord,
): Promise<FlexRecord & { _published: boolean }> {
  const isPublished = (await flex.get(record._type, record._id)) !== null;
  return { ...record, _published: isPublished };
}

/** True when a value of the record, or its id, contains the words, in any case. */
export function hasWords(record: FlexRecord, words: string): boolean {
  const wanted = words.toLowerCase();
  return Object.entries(record).some(
    ([name, value]) => (name === "_id" || !name.startsWith("_")) && contains(value, wanted),
  );
}

function contains(value: unknown, wanted: string): boolean {
  if (value === null || value === undefined) return false;
  if (typeof value === "object") return Object.values(value).some((one) => contains(one, wanted));
  return String(value).toLowerCase().includes(wanted);
}
