/** Stored comments: one record per page. */
import { z } from "zod";
import type { CollectionDefinition, RecordCollection, RecordStore } from "#kernel/internal";
import { sha256 } from "#kernel/internal";
import type { Comment, CommentStatus } from "./contract.js";

const comment: z.ZodType<Omit<Comment, "page">> = z.object({
  ...{ id: z.string(), at: z.number(), name: z.string(), email: z.string() },
  status: z.enum(["pending", "approved", "spam", "trash"]),
  user: z.string().nullable(),
  ...{ text: z.string(), lang: z.string(), parent: z.string().nullable() },
});
const pageShape = z.object({ page: z.string(), comments: z.array(comment) });
type PageComments = z.infer<typeof pageShape>;

const COLLECTION: CollectionDefinition<PageComments> = {
  name: "comments",
  key: /^[0-9a-f]{64}$/,
  parse: (value) => pageShape.safeParse(value).data ?? null,
};

/** Comments by the key of their page. */
export class CommentStore {
  readonly #store: () => RecordStore;

  constructor(store: () => RecordStore) {
    this.#store = store;
  }

  /** The oldest first. */
  async of(page: string): Promise<readonly Comment[]> {
    const stored = await this.#records.get(sha256(page));
    return stored?.value.comments.map((one) => ({ ...one, page })) ?? [];
  }

  /** Of all pages, the newest first. */
  async all(): Promise<readonly Comment[]> {
    const { items } = await this.#records.list();
    const found = items.flatMap(({ value: { page, comments } }) =>
      comments.map((one) => ({ ...one, page })),
    );
    return found.toSorted((a, b) => (a.id < b.id ? 1 : -1));
  }

  /** False when the page has `max` comments. Durable when it resolves. */
  async add(added: Comment, max: number): Promise<boolean> {
    const { page, ...rest } = added;
    let isAdded = false;
    await this.#records.update(sha256(page), (stored) => {
      const comments = stored?.comments ?? [];
      isAdded = comments.length < max;
      return isAdded ? { page, comments: [...comments, rest] } : null;
    });
    return isAdded;
  }

  /** The comment before; null: it does not exist. */
  async setStatus(page: string, id: string, status: CommentStatus): Promise<Comment | null> {
    return this.#change(page, id, (comments) =>
      comments.map((one) => (one.id === id ? { ...one, status } : one)),
    );
  }

  /** Deletes a comment and the replies to it. The comment before; null: it does not exist. */
  async delete(page: string, id: string): Promise<Comment | null> {
    return this.#change(page, id, (comments) =>
      comments.filter((one) => one.id !== id && one.parent !== id),
    );
  }

  /** Removes name, address and text of a comment with replies; false: it has none. */
  async blank(page: string, id: string): Promise<boolean> {
    const hasReplies = (await this.of(page)).some(({ parent }) => parent === id);
    if (!hasReplies) return false;
    const nothing = { name: "–", email: "", text: "–", user: null };
    const before = await this.#change(page, id, (comments) =>
      comments.map((one) => (one.id === id ? { ...one, ...nothing } : one)),
    );
    return before !== null;
  }

  /** Adds the comments of a page that was moved to those of its new key. */
  async move(page: string, to: string): Promise<void> {
    const moved = (await this.#records.get(sha256(page)))?.value.comments ?? [];
    if (moved.length === 0 || page === to) return;
    await this.#records.update(sha256(to), (stored) => {
      const ids = new Set(moved.map(({ id }) => id));
      const others = stored?.comments.filter(({ id }) => !ids.has(id)) ?? [];
      return { page: to, comments: [...others, ...moved].toSorted((a, b) => a.at - b.at) };
    });
    await this.#records.delete(sha256(page));
  }

  async #change(
    page: string,
    id: string,
    change: (comments: PageComments["comments"]) => PageComments["comments"],
  ): Promise<Comment | null> {
    let before: Comment | null = null;
    await this.#records.update(sha256(page), (stored) => {
      const found = stored?.comments.find((one) => one.id === id);
      if (stored === null || found === undefined) return null;
      before = { ...found, page };
      return { page, comments: change(stored.comments) };
    });
    return before;
  }

  get #records(): RecordCollection<PageComments> {
    return this.#store().collection(COLLECTION);
  }
}
