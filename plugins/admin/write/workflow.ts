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

/** The front matter of a transition; `published` is only written if it is present. */
export function transitionPatch(
  { frontmatter }: Pick<PageEntry, "frontmatter">,
  to: WorkflowStatus,
): Record<string, unknown> {
  const hasPublished = "published" in frontmatter;
  return { status: to, ...(hasPublished && { published: to === "published" }) };
}
