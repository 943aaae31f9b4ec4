import type { VNode } from "preact";
import { Moment } from "../../../parts/moment.js";
import { reasonOf } from "../../../parts/failure.js";
import { StatusBadge } from "../../../parts/badge.js";
import type { EditSession } from "./edit-session.js";
import { t } from "../editor-texts.js";
import { statusOf } from "../publish/page-status.js";

/** The page's status, and how far the text is saved. */
export function SaveLine({ session }: { session: EditSession }): VNode {
  const { state } = session;
  return (
    <div class="save-line">
      <StatusBadge status={statusOf(session)} />
      {session.review.value !== null && <span class="badge warn">{t("review.requested")}</span>}
      <span role="status" class={isWrong(state.value) ? "field-error" : "dim"}>
        <SaveText session={session} />
      </span>
    </div>
  );
}

function SaveText({ session }: { session: EditSession }): VNode {
  switch (session.state.value) {
    case "changed":
      return <>{t("save.changed")}</>;
    case "saving":
      return <>{t("save.saving")}</>;
    case "offline":
      return <>{t("save.offline")}</>;
    case "failed":
      return <>{t("save.failed", { reason: reasonOf(session.problem.value) })}</>;
    case "conflict":
      return <>{t("save.conflict")}</>;
    case "clean":
      return session.hasDraft.value ? (
        <>
          {t("save.draft")} <Moment at={session.savedAt.value} />
        </>
      ) : (
        <>{t("save.clean")}</>
      );
  }
}

function isWrong(state: EditSession["state"]["value"]): boolean {
  return state === "offline" || state === "failed" || state === "conflict";
}
