import { json, queryText, request, type Reply } from "../request.js";
import type { Field } from "./page-types.js";
import type { List } from "./pages.js";

/** A type of records. */
export interface RecordType {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly fields: readonly Field[];
}
/** A record: meta fields, then those of its type. */
export interface FlexRecord {
  readonly _id: string;
  /** Unix ms. */
  readonly _createdAt: number;
  readonly _updatedAt: number;
  /** False: hidden from visitors. */
  readonly _published: boolean;
  readonly [field: string]: unknown;
}
/** Values of a form; null removes a value. */
export type RecordValues = Readonly<Record<string, unknown>>;

const MAX_LIST = 500;

/** All types of records with their fields. */
export async function listRecordTypes(): Promise<readonly RecordType[]> {
  return (await json<{ items: readonly RecordType[] }>("/flex")).items;
}

/** A type by its name; null when it does not exist. */
export async function recordType(name: string): Promise<RecordType | null> {
  return (await listRecordTypes()).find((type) => type.name === name) ?? null;
}

/** The part of a list of records. */
export interface RecordQuery {
  /** Words to search for. */
  readonly q?: string;
  readonly limit?: number;
  readonly offset?: number;
}

/** Records of a type, newest first. */
export function listRecords(type: string, query: RecordQuery): Promise<List<FlexRecord>> {
  return json(`${pathOf(type)}${queryText({ ...query })}`);
}

/** Every record of a type. */
export async function allRecords(type: string): Promise<readonly FlexRecord[]> {
  const found: FlexRecord[] = [];
  for (;;) {
    const { items, total } = await listRecords(type, { limit: MAX_LIST, offset: found.length });
    found.push(...items);
    if (items.length === 0 || found.length >= total) return found;
  }
}

/** A record with its digest. */
export function readRecord(type: string, id: string): Promise<Reply<FlexRecord>> {
  return request(pathOf(type, id));
}

/** Creates a record. @throws ApiError 422 with `validationErrors`. */
export function createRecord(type: string, values: RecordValues): Promise<FlexRecord> {
  return json(pathOf(type), { method: "POST", body: values });
}

/** Changes the given values. @throws ApiError 422 with `validationErrors`, 409 when it has changed. */
export function saveRecord(
  type: string,
  id: string,
  values: RecordValues,
  ifMatch?: string,
): Promise<FlexRecord> {
  return json(pathOf(type, id), { method: "PUT", body: values, ifMatch });
}

/** Deletes a record. */
export function deleteRecord(type: string, id: string): Promise<unknown> {
  return json(pathOf(type, id), { method: "DELETE" });
}

function pathOf(...names: readonly string[]): string {
  return ["/flex", ...names.map(encodeURIComponent)].join("/");
}
