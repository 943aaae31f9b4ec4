/** The log of deliveries: one record each, updated after each attempt. */
import type { CollectionDefinition, RecordCollection, RecordStore, Stored } from "#kernel";
import type { DeliveryRecord } from "./contract.js";
import { parseRecord } from "./delivery-record.js";

const DAY_MS = 86_400_000;

const COLLECTION: CollectionDefinition<DeliveryRecord> = {
  name: "webhook-logs",
  key: /^[0-7][0-9A-HJKMNP-TV-Z]{25}$/,
  byDay: true,
  isIndented: true,
  parse: (value, id) => {
    const record = parseRecord(value);
    return record?.id === id ? record : null;
  },
};

/** Reads and writes records. */
export class DeliveryLog {
  readonly #store: () => RecordStore;

  constructor(store: () => RecordStore) {
    this.#store = store;
  }

  write(record: DeliveryRecord): Promise<void> {
    return this.#records.put(record.id, record);
  }

  /** The logged record of this id; writes `record` if it is missing. */
  async ensure(record: DeliveryRecord): Promise<DeliveryRecord> {
    // After a power failure the job of the delivery still exists and writes it again.
    const options = { durable: false };
    const stored = await this.#records.update(
      record.id,
      (found) => (found === null ? record : null),
      options,
    );
    return stored?.value ?? record;
  }

  async read(id: string): Promise<DeliveryRecord | null> {
    const stored = await this.#records.get(id);
    return stored === null ? null : shown(stored);
  }

  /** The newest records since `from` (Unix ms), newest first, and how many there are. */
  async recent(
    from: number,
    limit: number,
  ): Promise<{ items: readonly DeliveryRecord[]; total: number }> {
    const { items, total } = await this.#records.list({ since: from, limit });
    return { items: items.map(shown), total };
  }

  /** Removes the days before `before` (Unix ms). */
  prune(before: number): Promise<void> {
    return this.#records.prune(before);
  }

  get #records(): RecordCollection<DeliveryRecord> {
    return this.#store().collection(COLLECTION);
  }
}

function shown({ value, node }: Stored<DeliveryRecord>): DeliveryRecord {
  return node === null ? value : { ...value, node };
}

/** Converts days to milliseconds. */
export function daysMs(days: number): number {
  return days * DAY_MS;
}
