/** Moderates comments: status, deletion, and what follows for caches. */
import type { Change, SiteContext } from "#kernel";
import type { PersonalData } from "../auth/contract.js";
import type { CommentStore, StoredComment } from "./comment-store.js";
import type {
  Comment,
  CommentsQuery,
  CommentsService,
  CommentsSlice,
  CommentStatus,
} from "./contract.js";
import { toTag } from "./page-comments.js";

/** The service `comments`. */
export class Moderation implements CommentsService {
  readonly #site: SiteContext;
  readonly #store: CommentStore;

  constructor(site: SiteContext, store: CommentStore) {
    this.#site = site;
    this.#store = store;
  }

  async list({ status, limit, offset }: CommentsQuery): Promise<CommentsSlice> {
    const all = await this.#store.all();
    const matches = status === undefined ? all : all.filter((one) => one.status === status);
    const items = await this.#store.rendered(matches.slice(offset, offset + limit));
    return { items, total: matches.length };
  }

  async setStatus(page: string, id: string, status: CommentStatus): Promise<Comment | null> {
    const before = await this.#store.setStatus(page, id, status);
    if (before === null) return null;
    await this.changed(before, status);
    const [changed] = await this.#store.rendered([{ ...before, status }]);
    return changed ?? null;
  }

  async delete(page: string, id: string): Promise<boolean> {
    const before = await this.#store.delete(page, id);
    if (before !== null) await this.changed(before, null);
    return before !== null;
  }

  /** Publishes what visitors see differently; `after` null: deleted. */
  async changed({ page, id, status }: StoredComment, after: CommentStatus | null): Promise<void> {
    const change: Change<"comment"> = {
      kind: "comment",
      key: `${page}#${id}`,
      op: after === null ? "delete" : "update",
      before: { status },
      after: after === null ? null : { status: after },
    };
    await this.#publish(page, change);
  }

  /** Publishes a comment that is public from the start. */
  async added({ page, id, status }: StoredComment): Promise<void> {
    const key = `${page}#${id}`;
    await this.#publish(page, {
      kind: "comment",
      key,
      op: "create",
      before: null,
      after: { status },
    });
  }

  async #publish(page: string, change: Change<"comment">): Promise<void> {
    const tags = new Set([toTag(page)]);
    // The feed logs errors of listeners; they do not undo the change.
    await this.#site.changes.publish({ changes: [change], tags }).catch(() => null);
  }
}

/**
 * Comments for the export and the deletion of accounts. A deleted comment with replies keeps its place, without name
 * and text.
 */
export function commentsData(store: CommentStore, moderation: Moderation): PersonalData {
  const of = async (userId: string): Promise<readonly StoredComment[]> =>
    (await store.all()).filter(({ user }) => user === userId);
  return {
    fate: { deleted: "your comments; replies of others stay" },
    export: async ({ id }) => (await of(id)).map(({ html: _html, ...comment }) => comment),
    erase: async ({ id }) => {
      for (const comment of await of(id)) {
        const isKept = await store.blank(comment.page, comment.id);
        if (isKept) await moderation.changed(comment, comment.status);
        else await moderation.delete(comment.page, comment.id);
      }
    },
  };
}
