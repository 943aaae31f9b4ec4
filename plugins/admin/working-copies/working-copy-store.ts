import { createHash } from "node:crypto";
import { z } from "zod";
import { HttpError } from "#kernel";
import type { ContentService } from "../../content/contract.js";
import type {
  CollectionDefinition,
  RecordCollection,
  RecordStore,
} from "../../records/contract.js";

/** Working copies of all pages together. */
export const MAX_WORKING_COPIES = 1_000;
const KEY = /^[0-9a-f]{40}$/;

const person = z.object({ id: z.string(), name: z.string() });
const review = z.object({
  requestedAt: z.number(),
  by: person,
  note: z.string().default(""),
  /** The reviewer's answer; null while the request waits. */
  sentBack: z.object({ at: z.number(), by: person, note: z.string() }).nullable().default(null),
});
const plan = z.object({
  id: z.string(),
  at: z.number(),
  by: person,
  /** Digest of the text that was planned. */
  etag: z.string(),
  /** Why the text was not published at its time; null: the time is to come. */
  problem: z.string().nullable(),
});
const shape = z.object({
  path: z.string(),
  title: z.string(),
  content: z.string(),
  base: z.object({ hash: z.string().nullable(), text: z.string() }),
  createdAt: z.number(),
  /** Who began it; null for copies that were stored before this was recorded. */
  createdBy: person.nullable().default(null),
  updatedAt: z.number(),
  author: person,
  review: review.nullable(),
  plan: plan.nullable().default(null),
});
/** The last person who saved a working copy, or who asked for a review. */
export type WorkingCopyPerson = Readonly<z.infer<typeof person>>;
/** The planned publication of a working copy. Times in Unix ms. */
export type Plan = Readonly<z.infer<typeof plan>>;
/** A request for a review. Times in Unix ms. */
export type Review = Readonly<z.infer<typeof review>>;
/**
 * A working copy. `base` is the live file that it began from: its digest, null for a page that did not
 * exist, and its text. Times in Unix ms.
 */
export type WorkingCopy = Readonly<z.infer<typeof shape>>;

const COLLECTION: CollectionDefinition<WorkingCopy> = {
  name: "drafts",
  key: KEY,
  parse: (value, key) => {
    const { data } = shape.safeParse(value);
    return data !== undefined && toKey(data.path) === key ? data : null;
  },
};

/** The stored working copies, one per source path. */
export class WorkingCopyStore {
  readonly #store: RecordStore;

  constructor(store: RecordStore) {
    this.#store = store;
  }

  async get(path: string): Promise<WorkingCopy | null> {
    return (await this.#collection.get(toKey(path)))?.value ?? null;
  }

  /**
   * The accounts that own a working copy: the owners of its page. That of a page that does not exist yet belongs to the
   * account that began it. Null: neither exists.
   */
  async ownersOf(
    path: string,
    content: Pick<ContentService, "ownersOf">,
  ): Promise<readonly string[] | null> {
    const owners = content.ownersOf(path);
    const workingCopy = owners === null ? await this.get(path) : null;
    if (workingCopy === null) return owners;
    return workingCopy.createdBy === null ? [] : [workingCopy.createdBy.id];
  }

  /** The latest change first. */
  async list(): Promise<WorkingCopy[]> {
    const { items } = await this.#collection.list();
    return items
      .map(({ value }) => value)
      .toSorted((a, b) => b.updatedAt - a.updatedAt || a.path.localeCompare(b.path));
  }

  /**
   * Replaces a working copy by what `change` returns; null changes nothing.
   * @throws HttpError 409 when too many exist for another one.
   */
  async change(
    path: string,
    change: (stored: WorkingCopy | null) => WorkingCopy | null,
  ): Promise<WorkingCopy | null> {
    if ((await this.get(path)) === null) await this.#assertRoom();
    return (await this.#collection.update(toKey(path), change))?.value ?? null;
  }

  /** False: missing. */
  remove(path: string): Promise<boolean> {
    return this.#collection.delete(toKey(path));
  }

  async #assertRoom(): Promise<void> {
    const { total } = await this.#collection.list({ limit: 0 });
    if (total < MAX_WORKING_COPIES) return;
    const message = `there are ${total} working copies, at most ${MAX_WORKING_COPIES} are allowed; publish or discard some`;
    throw new HttpError(409, message, { code: "ERR_ADMIN_DRAFTS_FULL" });
  }

  get #collection(): RecordCollection<WorkingCopy> {
    return this.#store.collection(COLLECTION);
  }
}

/** The digest of a text: that of its file, which is the `ETag` of pages. */
export function textDigest(text: string): string {
  return createHash("sha1").update(text).digest("hex");
}

function toKey(path: string): string {
  return createHash("sha1").update(path).digest("hex");
}
