import type { VNode } from "preact";
import { t } from "../app/app-texts.js";

const STATUSES = ["draft", "in_review", "published", "archived"] as const;
type Status = (typeof STATUSES)[number];

/** The status of a page. */
export function StatusBadge({ status }: { status: string }): VNode {
  return <span class={`badge status-${status}`}>{statusText(status)}</span>;
}

/** The word for a status. */
export function statusText(status: string): string {
  const known = STATUSES.find((one): one is Status => one === status);
  return known === undefined ? status : t(`status.${known}`);
}
