/** Comments for the export and the deletion of accounts. */
import type { PersonalData } from "../auth/contract.js";
import type { CommentStore, StoredComment } from "./comment-store.js";
import type { Moderation } from "./moderation.js";

/** A comment with replies keeps its place, without name and text. */
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
