import { call } from "./request.js";
import type { FlexRecord, RecordType } from "./types.js";

/** A type of records by its name; null when it does not exist. */
export async function recordType(name: string): Promise<RecordType | null> {
  const { items } = await call("GET /flex");
  return items.find((type) => type.name === name) ?? null;
}

const MAX_LIST = 500;

/** Every record of a type. */
export async function allRecords(type: string): Promise<readonly FlexRecord[]> {
  const found: FlexRecord[] = [];
  for (;;) {
    const query = { limit: MAX_LIST, offset: found.length };
    const { items, total } = await call("GET /flex/:type", { params: { type }, query });
    found.push(...items);
    if (items.length === 0 || found.length >= total) return found;
  }
}
