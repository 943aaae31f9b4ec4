import type { PageEntry, WorkflowStatus } from "../../content/contract.js";

/** Allowed transitions of the editorial status. */
const NEXT: Readonly<Record<WorkflowStatus, readonly WorkflowStatus[]>> = {
  draft: ["in_review", "published"],
  in_review: ["published", "draft"],
  published: ["archived", "draft"],
  archived: ["draft"],
};

/** The status of a page: one that another key hides is a draft, although its status is `published`. */
export function statusOf({
  status,
  published,
}: Pick<PageEntry, "status" | "published">): WorkflowStatus {
  return !published && status === "published" ? "draft" : status;
}

/** The allowed transitions from a status. */
export function allowedTransitions(from: WorkflowStatus): readonly WorkflowStatus[] {
  return NEXT[from];
}
