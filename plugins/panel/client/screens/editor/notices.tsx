import type { VNode } from "preact";
import { Failure, fieldErrors } from "../../parts/failure.js";
import { fullMoment } from "../../parts/moment.js";
import type { EditSession } from "./edit-session.js";
import { t } from "./editor-texts.js";

/** What the writer should know above the text. */
export function Notices({
  session,
  onResolve,
}: {
  session: EditSession;
  onResolve(): void;
}): VNode | null {
  const { error } = session.text.frontMatter.value;
  const problem = session.problem.value;
  return (
    <>
      {session.isRecovered.value && (
        <p class="notice" role="status">
          {t("recovered")}{" "}
          <button type="button" class="link" onClick={() => (session.isRecovered.value = false)}>
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
      {error !== null && (
        <p class="notice warn" role="alert">
          {t("yaml.invalid", { reason: error })}
        </p>
      )}
      {fieldErrors(problem).length > 0 && <Failure error={problem} />}
    </>
  );
}
