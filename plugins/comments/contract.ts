/** Comments as other plugins see them. */
import type {} from "../auth/contract.js";

/** Section `comments` of site.yaml. */
export interface CommentsSection {
  from: "anyone" | "visitors";
  moderated: boolean;
  notify: string[];
  max_per_page: number;
}
/** Only approved comments are public. */
export type CommentStatus = "pending" | "approved" | "spam" | "trash";

/** A comment of a page. */
export interface Comment {
  /** A ULID: sorts by time. */
  readonly id: string;
  /** Key of the page: its source folder below `content/` without order numbers. */
  readonly page: string;
  /** Unix ms. */
  readonly at: number;
  readonly status: CommentStatus;
  readonly name: string;
  /** Empty when none was given; never public. */
  readonly email: string;
  /** Account of a visitor; null for an anonymous one. */
  readonly user: string | null;
  /** Markdown. */
  readonly text: string;
  /** The text as it is shown: safe HTML, rendered once. */
  readonly html: string;
  readonly lang: string;
  /** Id of the comment that it replies to; null for a comment on the page. */
  readonly parent: string | null;
}

/** Selects comments of a list. */
export interface CommentsQuery {
  /** Absent: all. */
  readonly status?: CommentStatus;
  readonly limit: number;
  readonly offset: number;
}
/** A slice of the comments that match a query. */
export interface CommentsSlice {
  readonly items: readonly Comment[];
  /** All that match. */
  readonly total: number;
}

/**
 * Comments of the site. Only provided when the site has a `comments` block.
 *
 * @example
 * const waiting = await site.use("comments").list({ status: "pending", limit: 20, offset: 0 });
 * for (const { page, id } of waiting.items) await site.use("comments").setStatus(page, id, "approved");
 */
export interface CommentsService {
  /** The newest first. */
  list(query: CommentsQuery): Promise<CommentsSlice>;
  /** Null: there is no such comment. */
  setStatus(page: string, id: string, status: CommentStatus): Promise<Comment | null>;
  /** Deletes a comment and the replies to it; false: it does not exist. */
  delete(page: string, id: string): Promise<boolean>;
}

declare module "#kernel" {
  interface ChangeKinds {
    /** A comment whose publication has changed, as `{page}#{id}`. */
    comment: { readonly status: CommentStatus };
  }
  interface Services {
    comments: CommentsService;
  }
  interface SiteSettings {
    /** Undefined: there are no comments. */
    comments: CommentsSection | undefined;
  }
}
