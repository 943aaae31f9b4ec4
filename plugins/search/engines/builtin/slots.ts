/** Slots below this are for further fields; from here to `laterFields` for taxonomy values. */
const FIRST_VALUE = 16;
const LATER_FIELDS = 0x8000;

/**
 * Numbers for places outside title and body: one slot per further field, and one per position of a
 * document's taxonomy values. All segments of an index share them.
 */
export class Slots {
  readonly #fields: string[];

  constructor(fields: readonly string[] = []) {
    this.#fields = [...fields];
  }

  /** Names of the further fields, in the order they were first seen. */
  get fields(): readonly string[] {
    return this.#fields;
  }

  /** The slot of a further field; assigns a new one to a new name. */
  ofField(name: string): number {
    let at = this.#fields.indexOf(name);
    if (at < 0) at = this.#fields.push(name) - 1;
    return at < FIRST_VALUE ? at : Math.min(0xffff, LATER_FIELDS + at);
  }

  /** The slot of a document's taxonomy value by its position among all of them. */
  ofValue(position: number): number {
    return Math.min(FIRST_VALUE + position, LATER_FIELDS - 1);
  }

  /** The further field of a slot; null for a taxonomy value. */
  field(slot: number): string | null {
    if (slot < FIRST_VALUE) return this.#fields[slot] ?? null;
    return slot < LATER_FIELDS ? null : (this.#fields[slot - LATER_FIELDS] ?? null);
  }
}
