/** Slots below this belong to further fields, those from here to `laterFields` to taxonomy values. */
const firstValue = 16;
const laterFields = 0x8000;

/**
 * Numbers for the places outside title and body: a slot per further field, a slot per taxonomy
 * value of a document by its position. Shared by all segments of an index.
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

  /** The slot of a further field; a new one for a new name. */
  ofField(name: string): number {
    let at = this.#fields.indexOf(name);
    if (at < 0) at = this.#fields.push(name) - 1;
    return at < firstValue ? at : Math.min(0xffff, laterFields + at);
  }

  /** The slot of a document's taxonomy value by its position among all of them. */
  ofValue(position: number): number {
    return Math.min(firstValue + position, laterFields - 1);
  }

  /** The further field of a slot; null for a taxonomy value. */
  field(slot: number): string | null {
    if (slot < firstValue) return this.#fields[slot] ?? null;
    return slot < laterFields ? null : (this.#fields[slot - laterFields] ?? null);
  }
}
