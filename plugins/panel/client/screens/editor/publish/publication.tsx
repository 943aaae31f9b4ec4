import { Ellipsis } from "lucide";
import type { VNode } from "preact";
import { useState } from "preact/hooks";
import { editPath, navigate } from "../../../app/router.js";
import { attempt, done } from "../../../app/toasts.js";
import { FormDialog } from "../../../parts/forms.js";
import { Icon } from "../../../parts/icon.js";
import { lazyDialog } from "../../../parts/loading.js";
import { MomentField, readMoment } from "../../../parts/moment-field.js";
import { fullMoment } from "../../../parts/moment.js";
import { UsedBy } from "../../../parts/used-by.js";
import { t } from "../editor-texts.js";
import { Menu } from "../../../parts/menu.js";
import type { EditSession } from "../saving/edit-session.js";
import {
  discard,
  duplicate,
  isVisible,
  publicationOf,
  publish,
  publishShortcut,
  refreshLive,
  showPage,
  unschedule,
} from "./page-actions.js";
import { call } from "../../../api/request.js";
import { may } from "../../../api/session.js";
import { undoDeletions } from "../../../api/trash.js";

const PreviewLink = lazyDialog(() => import("./preview-link.js"));
const Review = lazyDialog(() => import("../review/review.js"));

type Asks = "discard" | "delete" | "link" | "schedule" | "ask" | "changes" | "planChanges";

interface SessionProps {
  session: EditSession;
}

/** The button that publishes, and a menu with scheduling, preview links, withdrawing and deleting. */
export default function Publication({ session }: SessionProps): VNode {
  const [asks, setAsks] = useState<Asks | null>(null);
  const close = (): void => setAsks(null);
  return (
    <div class="row publication">
      <MainAction session={session} onAskForReview={() => setAsks("ask")} />
      <More session={session} onAsk={setAsks} />
      {asks === "discard" && (
        <FormDialog
          title={t("discard.title")}
          action={t("discard.action")}
          danger
          onClose={close}
          onSubmit={async () => {
            const { text } = session.text;
            await session.act(() => discard(session));
            done(t("discard.done"), () => session.replace(text));
          }}
        >
          <p>{t("discard.why")}</p>
        </FormDialog>
      )}
      {asks === "delete" && <DeletePage session={session} onClose={close} />}
      {asks === "link" && <PreviewLink session={session} onClose={close} />}
      {asks === "schedule" && <Schedule session={session} onClose={close} />}
      {asks === "planChanges" && <ScheduleChanges session={session} onClose={close} />}
      {(asks === "ask" || asks === "changes") && (
        <Review session={session} shows={asks} onClose={close} />
      )}
    </div>
  );
}

interface MainActionProps extends SessionProps {
  onAskForReview(): void;
}

function MainAction({ session, onAskForReview }: MainActionProps): VNode | null {
  const { isPublic, coming } = publicationOf(session);
  const live = session.live.value;
  const hasChanges = session.hasWorkingCopy.value || session.state.value !== "clean";
  if (may("pages.publish", live)) {
    return (
      <button
        type="button"
        class="primary"
        disabled={isPublic && !hasChanges}
        onClick={() => void attempt(() => publishShortcut(session))}
      >
        {isPublic ? (
          <>
            <span class="button-long">{t("publish.changes")}</span>
            <span class="button-short">{t("publish")}</span>
          </>
        ) : (
          t(coming === null ? "publish" : "publish.now")
        )}
      </button>
    );
  }
  if (!may("pages.update", live)) return null;
  const isAsked = session.review.value?.sentBack === null;
  return (
    <button
      type="button"
      class="primary"
      disabled={!session.hasWorkingCopy.value && session.state.value === "clean"}
      onClick={isAsked ? () => void attempt(() => withdrawReview(session)) : onAskForReview}
    >
      {t(isAsked ? "review.withdraw" : "review.request")}
    </button>
  );
}

interface MoreProps {
  session: EditSession;
  onAsk(asks: Asks): void;
}

function More({ session, onAsk }: MoreProps): VNode {
  const { isPublic, coming, going } = publicationOf(session);
  const isPlanned = coming !== null || going !== null;
  const live = session.live.value;
  const hasWorkingCopy = session.hasWorkingCopy.value;
  const mayChange = may("pages.update", live);
  const item = (label: Parameters<typeof t>[0], action: () => void, isShown = true) =>
    isShown && (
      <button key={label} type="button" class="entry" onClick={action}>
        {t(label)}
      </button>
    );
  return (
    <Menu label={t("more")} summary={<Icon of={Ellipsis} />}>
      {item("more.view", () => showPage(session), isVisible(session))}
      {item("more.changes", () => onAsk("changes"), hasWorkingCopy)}
      {item("more.link", () => onAsk("link"), mayChange)}
      {item(
        isPlanned ? "more.reschedule" : "more.schedule",
        () => onAsk("schedule"),
        may("pages.publish", live),
      )}
      {item(
        coming === null ? "more.stay" : "more.unschedule",
        () => void attempt(() => session.act(() => unschedule(session))),
        isPlanned && may("pages.publish", live),
      )}
      {item(
        "more.scheduleChanges",
        () => onAsk("planChanges"),
        isPublic && hasWorkingCopy && may("pages.publish", live),
      )}
      {item(
        "more.keepChanges",
        () => void attempt(() => unscheduleChanges(session)),
        session.plan.value !== null && may("pages.publish", live),
      )}
      {item(
        "more.apply",
        () => void attempt(() => session.act(() => publish(session))),
        hasWorkingCopy && !isPublic && mayChange,
      )}
      {item(
        "more.unpublish",
        () => void attempt(() => withdraw(session, "draft")),
        (isPublic || coming !== null || session.live.value.status === "archived") &&
          may("pages.publish", live),
      )}
      {item(
        "more.archive",
        () => void attempt(() => withdraw(session, "archived")),
        isPublic && may("pages.publish", live),
      )}
      {item("more.duplicate", () => void attempt(() => duplicate(session)), may("pages.create"))}
      {item("more.discard", () => onAsk("discard"), hasWorkingCopy && mayChange)}
      {item("more.delete", () => onAsk("delete"), may("pages.delete", live))}
    </Menu>
  );
}

async function withdrawReview(session: EditSession): Promise<void> {
  const { review } = await call("POST /drafts/*path/review", {
    params: { path: session.path },
    body: { requested: false },
  });
  session.review.value = review;
  done(t("review.withdrawn"));
}

async function withdraw(session: EditSession, status: "draft" | "archived"): Promise<void> {
  await session.flush();
  await session.act(async () => {
    await call("POST /workflow/transition", { body: { path: session.path, to: status } });
    await refreshLive(session);
  });
  done(t(status === "draft" ? "unpublish.done" : "archive.done"));
}

interface DialogProps {
  session: EditSession;
  onClose(): void;
}

/** Publishes or withdraws the page at a time to come. */
function Schedule({ session, onClose }: DialogProps): VNode {
  const { isPublic, coming, going } = publicationOf(session);
  const action = isPublic ? "unpublish" : "publish";
  const planned = isPublic ? going : coming;
  return (
    <FormDialog
      title={t(`schedule.${action}`)}
      action={t("schedule.action")}
      onClose={onClose}
      onSubmit={async (form) => {
        const at = readMoment(form);
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
      <MomentField at={planned} />
    </FormDialog>
  );
}

/** Schedules the changes of a live page. */
function ScheduleChanges({ session, onClose }: DialogProps): VNode {
  return (
    <FormDialog
      title={t("schedule.changes")}
      action={t("schedule.action")}
      onClose={onClose}
      onSubmit={async (form) => {
        await session.flush();
        const { plan } = await call("POST /drafts/*path/schedule", {
          params: { path: session.path },
          body: { scheduledAt: readMoment(form).toISOString() },
        });
        session.plan.value = plan;
        if (plan !== null) done(t("schedule.done", { time: fullMoment(plan.at) }));
      }}
    >
      <p>{t("schedule.why.changes")}</p>
      <MomentField at={session.plan.value?.at ?? null} />
    </FormDialog>
  );
}

async function unscheduleChanges(session: EditSession): Promise<void> {
  const { plan } = await call("DELETE /drafts/*path/schedule", { params: { path: session.path } });
  session.plan.value = plan;
  done(t("unschedule.changes"));
}

/** Moves the page to the trash; names the pages and records that use it first. */
function DeletePage(props: DialogProps): VNode {
  const { path } = props.session;
  return (
    <FormDialog
      title={t("delete.title")}
      action={t("delete.action")}
      danger
      onClose={props.onClose}
      onSubmit={async () => {
        const { trashId } = await call("DELETE /pages/*path", { params: { path } });
        const undo = undoDeletions([trashId], () => navigate(editPath(path)));
        done(t("delete.done"), undo);
        queueMicrotask(() => navigate("/pages"));
      }}
    >
      <p>{t("delete.why")}</p>
      <UsedBy paths={[path]} />
    </FormDialog>
  );
}
