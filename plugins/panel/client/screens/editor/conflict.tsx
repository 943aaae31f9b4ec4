import { useSignal } from "@preact/signals";
import type { VNode } from "preact";
import { t as app } from "../../app/app-texts.js";
import { attempt } from "../../app/toasts.js";
import { Dialog } from "../../parts/dialog.js";
import type { EditSession } from "./edit-session.js";
import { t } from "./editor-texts.js";
import { resolve } from "./page-actions.js";

/** Two versions of one text: choose one, or merge them. Neither is lost before. */
export default function ConflictView({
  session,
  onClose,
}: {
  session: EditSession;
  onClose(): void;
}): VNode | null {
  const conflict = session.conflict.value;
  const merged = useSignal(conflict?.proposal ?? conflict?.yours ?? "");
  if (conflict === null) return null;
  const theirs = conflict.theirs ?? "";
  const choose = (text: string): void => void attempt(() => resolve(session, text));
  const hasMarks = /^(?:<{7}|>{7})/m.test(merged.value);
  return (
    <Dialog title={t("conflict.title")} onClose={onClose} wide>
      <p>{t("conflict.why", { reason: conflict.error })}</p>
      <div class="conflict-columns">
        <Version title={t("conflict.yours")} text={conflict.yours}>
          <button type="button" onClick={() => choose(conflict.yours)}>
            {t("conflict.useYours")}
          </button>
        </Version>
        <Version title={t("conflict.theirs")} text={theirs}>
          <button type="button" onClick={() => choose(theirs)}>
            {t("conflict.useTheirs")}
          </button>
        </Version>
      </div>
      <label>
        {t("conflict.merged")}
        <textarea
          class="code"
          rows={12}
          spellcheck={false}
          value={merged.value}
          onInput={(event) => (merged.value = event.currentTarget.value)}
        />
        {hasMarks && <span class="help">{t("conflict.marks")}</span>}
      </label>
      <div class="actions">
        <button
          type="button"
          class="primary"
          disabled={hasMarks}
          onClick={() => choose(merged.value)}
        >
          {app("save")}
        </button>
      </div>
    </Dialog>
  );
}

function Version(props: { title: string; text: string; children: VNode }): VNode {
  return (
    <section class="stack">
      <h3>{props.title}</h3>
      <pre tabIndex={0} role="region" aria-label={props.title}>
        {props.text}
      </pre>
      {props.children}
    </section>
  );
}
