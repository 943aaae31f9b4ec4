import type { PageEntry, WorkflowStatus } from "../../content/contract.js";

/** Allowed transitions of the editorial status. */
const NEXT: Readonly<Record<WorkflowStatus, readonly WorkflowStatus[]>> = {
  draft: ["in_review", "published"],
  in_review: ["published", "draft"],
  published: ["archived", "draft"],
  archived: ["draft"],
};

/** The status of a page: `published: false` without a status is a draft. */
export function statusOf({ status, published, frontmatter }: PageEntry): WorkflowStatus {
  const hasStatus = typeof frontmatter["status"] === "string";
  return !published && !hasStatus ? "draft" : status;
}

/** The allowed transitions from a status. */
export function allowedTransitions(from: WorkflowStatus): readonly WorkflowStatus[] {
  return NEXT[from];
}

/** The front matter of a transition; `published` and `draft` are only written if they are present. */
export function transitionPatch(
  { frontmatter }: Pick<PageEntry, "frontmatter">,
  to: WorkflowStatus,
): Record<string, unknown> {
  const isPublic = to === "published";
  return {
    status: to,
    ...("published" in frontmatter && { published: isPublic }),
    ...("draft" in frontmatter && { draft: !isPublic }),
  };
}
