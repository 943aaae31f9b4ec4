import { SiteError } from "#lib/errors";
import type { Field, FieldKind } from "./contract.js";
import { listKinds } from "./list-kinds.js";
import { nestedKinds, type BlockFields } from "./nested-kinds.js";
import { textKinds, valueKinds } from "./value-kinds.js";

const KIND_NAME = /^[a-z][a-z0-9-]*$/;

/** The kinds of fields of a site: the built-in ones and those of plugins. */
export class FieldKinds {
  readonly #kinds: Map<string, FieldKind>;
  #blocks: BlockFields = new Map<string, readonly Field[]>();

  constructor() {
    const nested = nestedKinds(() => this.#blocks);
    this.#kinds = new Map(Object.entries({ ...textKinds, ...valueKinds, ...listKinds, ...nested }));
  }

  /** The names of all kinds. */
  get names(): readonly string[] {
    return [...this.#kinds.keys()];
  }

  get(name: string): FieldKind | undefined {
    return this.#kinds.get(name);
  }

  /** @throws ERR_FIELD_KIND when the name is taken or is not one of small letters. */
  add(name: string, kind: FieldKind): void {
    if (!KIND_NAME.test(name) || this.#kinds.has(name)) {
      const message = `the kind of fields ${JSON.stringify(name)} exists or has an invalid name`;
      throw new SiteError("ERR_FIELD_KIND", message, {
        fix: "choose another name of lower-case letters, digits and hyphens",
      });
    }
    this.#kinds.set(name, kind);
  }

  /** Replaces the blocks that fields of kind `blocks` may have. */
  setBlocks(blocks: BlockFields): void {
    this.#blocks = blocks;
  }
}
