import type { VNode } from "preact";
import { t } from "../app/texts.js";
import { fullMoment } from "./moment.js";

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

/** What lists know of the publication of a page. */
export interface Publication {
  status: string;
  /** Unix ms; null: no such time. */
  publishAt: number | null;
  unpublishAt: number | null;
  broken?: object;
}

interface PageBadgeProps {
  page: Publication;
}

/** What visitors see of a page: its status, and when that changes. A page that cannot be read has no status. */
export function PageBadge({ page }: PageBadgeProps): VNode {
  const [first = "", going] = publicationTexts(page);
  if (page.broken !== undefined) return <span class="badge bad">{first}</span>;
  return (
    <>
      {plannedTimes(page).coming === null ? (
        <StatusBadge status={page.status} />
      ) : (
        <span class="badge status-scheduled">{first}</span>
      )}
      {going !== undefined && (
        <>
          {" "}
          <span class="badge">{going}</span>
        </>
      )}
    </>
  );
}

/** The texts of the badges of a page: its status or the time at which it appears, and when it goes. */
export function publicationTexts(page: Publication): readonly string[] {
  if (page.broken !== undefined) return [t("status.broken")];
  const { coming, going } = plannedTimes(page);
  const status =
    coming === null ? statusText(page.status) : t("status.scheduled", { time: fullMoment(coming) });
  return going === null ? [status] : [status, t("status.going", { time: fullMoment(going) })];
}

/** When a page of the status published appears and disappears; null: no such time is to come. Unix ms. */
export function plannedTimes({ status, publishAt, unpublishAt }: Publication): {
  coming: number | null;
  going: number | null;
} {
  const now = Date.now();
  const toCome = (at: number | null): number | null =>
    status === "published" && at !== null && at > now ? at : null;
  return { coming: toCome(publishAt), going: toCome(unpublishAt) };
}

/** The word for a status. */
function statusText(status: string): string {
  if (status === "broken") return t("status.broken");
  const listed = STATUSES.find((one): one is Status => one === status);
  return listed === undefined ? status : t(`status.${listed}`);
}
