import type { VNode } from "preact";
import { t } from "../app/texts.js";

const STATUSES = ["draft", "in_review", "published", "archived"] as const;
type Status = (typeof STATUSES)[number];

interface StatusBadgeProps {
  /** `draft`, `in_review`, `published`, `archived`. */
  status: string;
}

/** The status of a page. */
export function StatusBadge({ status }: StatusBadgeProps): VNode {
  return <span class={`badge status-${status}`}>{statusText(status)}</span>;
}

interface PageBadgeProps {
  page: { status: string; broken?: object };
}

/** The status of a page in lists: a page that cannot be read has none. */
export function PageBadge({ page }: PageBadgeProps): VNode {
  if (page.broken === undefined) return <StatusBadge status={page.status} />;
  return <span class="badge bad">{t("status.broken")}</span>;
}

/** The word for a status. */
export function statusText(status: string): string {
  if (status === "broken") return t("status.broken");
  const listed = STATUSES.find((one): one is Status => one === status);
  return listed === undefined ? status : t(`status.${listed}`);
}
