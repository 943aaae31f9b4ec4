import type { PageEntry, WorkflowStatus } from "../content/contract.js";

/** Which status may follow which (decisions: Admin). */
const NEXT: Readonly<Record<WorkflowStatus, readonly WorkflowStatus[]>> = {
  draft: ["in_review", "published"],
  in_review: ["published", "draft"],
  published: ["archived", "draft"],
  archived: ["draft"],
};

/** Where a page stands: `published: false` without a status is a draft. */
export function statusOf({ status, published, frontmatter }: PageEntry): WorkflowStatus {
  const hasStatus = typeof frontmatter["status"] === "string";
  return !published && !hasStatus ? "draft" : status;
}

/** The statuses a page may go to from here. */
export function allowedTransitions(from: WorkflowStatus): readonly WorkflowStatus[] {
  return NEXT[from];
}

/** The front matter that moves a page: `published` is written only where it is there. */
export function transitionPatch(
  { frontmatter }: Pick<PageEntry, "frontmatter">,
  to: WorkflowStatus,
): Record<string, unknown> {
  const hasPublished = "published" in frontmatter;
  return { status: to, ...(hasPublished && { published: to === "published" }) };
}
