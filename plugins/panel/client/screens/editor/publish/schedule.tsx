import type { VNode } from "preact";
import { done } from "../../../app/toasts.js";
import { FormDialog } from "../../../parts/forms.js";
import { fullMoment } from "../../../parts/moment.js";
import { t } from "../editor-texts.js";
import type { EditSession } from "../saving/edit-session.js";
import { publish, refreshLive } from "./page-actions.js";
import { call } from "../../../api/request.js";

interface ScheduleProps {
  session: EditSession;
  onClose(): void;
}

/** Publishes or withdraws the page at a time to come. */
export default function Schedule({ session, onClose }: ScheduleProps): VNode {
  const isPublic = session.live.value.status === "published";
  const action = isPublic ? "unpublish" : "publish";
  return (
    <FormDialog
      title={t(`schedule.${action}`)}
      action={t("schedule.action")}
      onClose={onClose}
      onSubmit={async (form) => {
        const at = new Date(String(form.get("at")));
        await session.act(async () => {
          await publish(session);
          await call("POST /workflow/schedule", {
            body: { path: session.path, action, scheduledAt: at.toISOString() },
          });
          await refreshLive(session);
        });
        done(t("schedule.done", { time: fullMoment(at.getTime()) }));
      }}
    >
      <p>{t(`schedule.why.${action}`)}</p>
      <label>
        {t("schedule.at")}
        <input type="datetime-local" name="at" required min={localTime(Date.now())} />
      </label>
    </FormDialog>
  );
}

/** Formats a time as `datetime-local` does, in the person's time zone. */
function localTime(at: number): string {
  const offset = new Date(at).getTimezoneOffset() * 60_000;
  return new Date(at - offset).toISOString().slice(0, 16);
}
