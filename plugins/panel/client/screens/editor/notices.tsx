import type { VNode } from "preact";
import { toSentence } from "#lib/text";
import { Failure, fieldErrors, lazy } from "../../parts/loading.js";
import { fullMoment } from "../../parts/moment.js";
import { may } from "../../api/session.js";
import { t } from "./editor-texts.js";
import type { EditSession } from "./saving/edit-session.js";
import type { Others } from "./saving/other-editors.js";

const ReviewNotice = lazy(() => import("./review/review-notice.js"));

interface NoticesProps {
  session: EditSession;
  /** Null until the page is followed. */
  others: Others | null;
  /** Opens the comparison of both texts of a conflict. */
  onResolve(): void;
}

/** Shows above the text what the writer should know. */
export default function Notices({ session, others, onResolve }: NoticesProps): VNode | null {
  const matter = session.text.frontMatter.value;
  const refused = session.text.edits.problem.value;
  const problem = session.problem.value;
  const isForeign = may("pages.update") && !may("pages.update", session.live.value);
  return (
    <>
      {isForeign && (
        <p class="notice" role="status">
          {t("foreign")}
        </p>
      )}
      {others !== null && <OthersNotice others={others} />}
      {session.review.value !== null && <ReviewNotice session={session} />}
      {session.plan.value !== null && (
        <p class={`notice ${session.plan.value.problem === null ? "" : "warn"}`} role="status">
          {t("plan.changes", { time: fullMoment(session.plan.value.at) })}
          {session.plan.value.problem !== null && `: ${toSentence(session.plan.value.problem)}`}
        </p>
      )}
      {session.isRecovered.value && (
        <p class="notice" role="status">
          {t("recovered")}{" "}
          <button type="button" class="link" onClick={() => (session.isRecovered.value = false)}>
            {t("ok")}
          </button>
        </p>
      )}
      {session.hasMoved.value && (
        <p class="notice" role="status">
          {t("moved", { path: session.path })}{" "}
          <button type="button" class="link" onClick={() => (session.hasMoved.value = false)}>
            {t("ok")}
          </button>
        </p>
      )}
      {session.mergedAt.value > 0 && (
        <p class="notice" role="status">
          {t("merged", { time: fullMoment(session.mergedAt.value) })}{" "}
          <button type="button" class="link" onClick={() => (session.mergedAt.value = 0)}>
            {t("ok")}
          </button>
        </p>
      )}
      {session.conflict.value !== null && (
        <p class="notice bad" role="alert">
          {t("save.conflict")}{" "}
          <button type="button" class="link" onClick={onResolve}>
            {t("conflict.open")}
          </button>
        </p>
      )}
      {matter.error !== null && (
        <p class="notice warn" role="alert">
          {t("yaml.invalid", { reason: matter.error, line: matter.line })}
        </p>
      )}
      {refused !== null && (
        <p class="notice warn" role="alert">
          {t("yaml.refused", { reason: refused })}
        </p>
      )}
      {fieldErrors(problem).length > 0 && <Failure error={problem} />}
    </>
  );
}

interface OthersNoticeProps {
  others: Others;
}

/** Names who else is here, and what they changed. */
function OthersNotice({ others: { people, change } }: OthersNoticeProps): VNode {
  const n = people.value.length;
  const names = people.value.map(({ name }) => name).join(", ");
  return (
    <div role="status" class="others">
      {n > 0 && <p class="notice">{t("others.open", { n, names })}</p>}
      {change.value !== null && (
        <p class="notice warn">
          {changeText(change.value)}{" "}
          <button type="button" class="link" onClick={() => (change.value = null)}>
            {t("ok")}
          </button>
        </p>
      )}
    </div>
  );
}

function changeText({ kind, by, isLoaded }: NonNullable<Others["change"]["value"]>): string {
  if (kind === "deleted") return t("others.deleted");
  const outside = by === null ? t("others.disk") : t("others.changed");
  const what = by ? t("others.saved", { name: by.name }) : outside;
  return `${what} ${t(isLoaded ? "others.loaded" : "others.merge")}`;
}
