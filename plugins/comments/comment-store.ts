/** Stored comments: one record per page. */
import { z } from "zod";
import { sha256 } from "#lib/secrets";
import { SingleFlight } from "#lib/concurrency";
import type { CollectionDefinition, RecordCollection, RecordStore } from "../records/contract.js";
import type { VisitorText } from "../markdown/contract.js";
import type { Comment, CommentStatus } from "./contract.js";

/** A comment as it is stored. */
export interface StoredComment extends Omit<Comment, "html"> {
  /** Null: not rendered yet. Earlier versions stored the text only. */
  readonly html: string | null;
}

const comment: z.ZodType<Omit<StoredComment, "page">> = z.object({
  id: z.string(),
  at: z.number(),
  status: z.enum(["pending", "approved", "spam", "trash"]),
  name: z.string(),
  email: z.string(),
  user: z.string().nullable(),
  text: z.string(),
  html: z.string().nullable().default(null),
  lang: z.string(),
  parent: z.string().nullable(),
});
const pageShape = z.object({ page: z.string(), comments: z.array(comment) });
type PageComments = z.infer<typeof pageShape>;

const COLLECTION: CollectionDefinition<PageComments> = {
  name: "comments",
  key: /^[0-9a-f]{64}$/,
  parse: (value) => pageShape.safeParse(value).data ?? null,
};
/** Comments of one page that are kept as spam; the oldest are dropped. */
const MAX_SPAM = 100;

/** Dependencies of the store. */
interface CommentStoreOptions {
  readonly records: RecordStore;
  render(text: string): Promise<VisitorText>;
  /** False for a process beside the server, which must not write what the server writes. */
  keepsHtml: boolean;
}

/** Comments by the key of their page. */
export class CommentStore {
  readonly #parts: CommentStoreOptions;
  readonly #rendering = new SingleFlight<ReadonlyMap<string, string>>();

  constructor(parts: CommentStoreOptions) {
    this.#parts = parts;
  }

  /** The oldest first. */
  async of(page: string): Promise<readonly StoredComment[]> {
    const stored = await this.#records.get(sha256(page));
    return stored?.value.comments.map((one) => ({ ...one, page })) ?? [];
  }

  /** The comments of all pages, the newest first. */
  async all(): Promise<readonly StoredComment[]> {
    const { items } = await this.#records.list();
    const all = items.flatMap(({ value: { page, comments } }) =>
      comments.map((one) => ({ ...one, page })),
    );
    return all.toSorted((a, b) => (a.id < b.id ? 1 : -1));
  }

  /** The comments with their HTML. One that is not rendered yet is rendered now, and its HTML kept. */
  async rendered(comments: readonly StoredComment[]): Promise<readonly Comment[]> {
    const html = new Map<string, string>();
    const unrendered = comments.filter((one) => one.html === null);
    for (const page of new Set(unrendered.map((one) => one.page))) {
      const missing = unrendered.filter((one) => one.page === page);
      const ids = missing.map(({ id }) => id).join();
      const { result } = this.#rendering.join(`${page} ${ids}`, () => this.#render(page, missing));
      for (const [id, text] of await result) html.set(id, text);
    }
    return comments.map((one) => ({ ...one, html: one.html ?? html.get(one.id) ?? "" }));
  }

  /**
   * False when `max` comments of the page are shown or waiting. Spam does not count: the newest are kept.
   * Durable when it resolves.
   */
  async add(added: StoredComment, max: number): Promise<boolean> {
    const { page, ...rest } = added;
    let isAdded = false;
    await this.#records.update(sha256(page), (stored) => {
      const comments = stored?.comments ?? [];
      isAdded = rest.status === "spam" || comments.filter(isCounted).length < max;
      return isAdded ? { page, comments: withoutOldSpam([...comments, rest]) } : null;
    });
    return isAdded;
  }

  /** The comment before; null: it does not exist. */
  async setStatus(page: string, id: string, status: CommentStatus): Promise<StoredComment | null> {
    return this.#change(page, id, (comments) =>
      comments.map((one) => (one.id === id ? { ...one, status } : one)),
    );
  }

  /** Deletes a comment and the replies to it. The comment before; null: it does not exist. */
  async delete(page: string, id: string): Promise<StoredComment | null> {
    return this.#change(page, id, (comments) =>
      comments.filter((one) => one.id !== id && one.parent !== id),
    );
  }

  /** Removes name, address and text of a comment with replies; false: it has none. */
  async blank(page: string, id: string): Promise<boolean> {
    const hasReplies = (await this.of(page)).some(({ parent }) => parent === id);
    if (!hasReplies) return false;
    const nothing = { name: "–", email: "", text: "–", html: "<p>–</p>", user: null };
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

  /** HTML by id of the comment. What the machine was too busy to render is rendered again next time. */
  async #render(
    page: string,
    missing: readonly StoredComment[],
  ): Promise<ReadonlyMap<string, string>> {
    const html = new Map<string, string>();
    const titles = new Map<string, string>();
    for (const { id, text } of missing) {
      const rendered = await this.#parts.render(text);
      html.set(id, rendered.html);
      if (rendered.obstacle !== "busy") titles.set(id, rendered.html);
      // Small texts are rendered without a thread; requests are served between two of them.
      await new Promise((resolve) => setImmediate(resolve));
    }
    if (this.#parts.keepsHtml && titles.size > 0) await this.#keep(page, titles);
    return html;
  }

  async #keep(page: string, html: ReadonlyMap<string, string>): Promise<void> {
    await this.#records.update(sha256(page), (stored) => {
      if (stored === null) return null;
      const comments = stored.comments.map((one) => ({
        ...one,
        html: one.html ?? html.get(one.id) ?? null,
      }));
      return { page, comments };
    });
  }

  async #change(
    page: string,
    id: string,
    change: (comments: PageComments["comments"]) => PageComments["comments"],
  ): Promise<StoredComment | null> {
    let before: StoredComment | null = null;
    await this.#records.update(sha256(page), (stored) => {
      const comment = stored?.comments.find((one) => one.id === id);
      if (stored === null || comment === undefined) return null;
      before = { ...comment, page };
      return { page, comments: change(stored.comments) };
    });
    return before;
  }

  get #records(): RecordCollection<PageComments> {
    return this.#parts.records.collection(COLLECTION);
  }
}

function isCounted({ status }: Pick<StoredComment, "status">): boolean {
  return status === "approved" || status === "pending";
}

function withoutOldSpam(comments: PageComments["comments"]): PageComments["comments"] {
  const spam = comments.filter(({ status }) => status === "spam");
  const dropped = new Set(spam.slice(0, Math.max(0, spam.length - MAX_SPAM)));
  return comments.filter((one) => !dropped.has(one));
}
