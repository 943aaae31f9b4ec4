import { Ellipsis } from "lucide";
import type { VNode } from "preact";
import { useState } from "preact/hooks";
import { navigate } from "../../../app/router.js";
import { language } from "../../../app/texts.js";
import { attempt, done } from "../../../app/toasts.js";
import { FormDialog } from "../../../parts/forms.js";
import { Icon } from "../../../parts/icon.js";
import { lazy, useLoaded } from "../../../parts/loading.js";
import { fullMoment } from "../../../parts/moment.js";
import { plannedTimes } from "../../../parts/badge.js";
import { t } from "../editor-texts.js";
import { Menu } from "../menu.js";
import type { EditSession } from "../saving/edit-session.js";
import { discard, publish, refreshLive } from "./page-actions.js";
import { siteHref } from "../../../boot.js";
import { call } from "../../../api/request.js";
import { may } from "../../../api/session.js";

const PreviewLink = lazy(() => import("./preview-link.js"));

type Asks = "discard" | "delete" | "link" | "schedule";

interface SessionProps {
  session: EditSession;
}

/** The button that publishes, and a menu with scheduling, preview links, withdrawing and deleting. */
export default function Publication({ session }: SessionProps): VNode {
  const [asks, setAsks] = useState<Asks | null>(null);
  const close = (): void => setAsks(null);
  return (
    <div class="row publication">
      <MainAction session={session} />
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
    </div>
  );
}

function MainAction({ session }: SessionProps): VNode | null {
  const { isPublic, coming } = stateOf(session);
  const hasChanges = session.hasWorkingCopy.value || session.state.value !== "clean";
  if (may("pages.publish")) {
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
  if (!may("pages.update")) return null;
  const isAsked = session.review.value !== null;
  return (
    <button
      type="button"
      class="primary"
      disabled={!session.hasWorkingCopy.value && session.state.value === "clean"}
      onClick={() => void attempt(() => askForReview(session, !isAsked))}
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
  const { isPublic, coming, going } = stateOf(session);
  const isPlanned = coming !== null || going !== null;
  const hasWorkingCopy = session.hasWorkingCopy.value;
  const item = (label: Parameters<typeof t>[0], action: () => void, isShown = true) =>
    isShown && (
      <button key={label} type="button" class="entry" onClick={action}>
        {t(label)}
      </button>
    );
  return (
    <Menu label={t("more")} summary={<Icon of={Ellipsis} />}>
      {item("more.view", () => showPage(session), isPublic)}
      {item("more.link", () => onAsk("link"))}
      {item(
        isPlanned ? "more.reschedule" : "more.schedule",
        () => onAsk("schedule"),
        may("pages.publish"),
      )}
      {item(
        coming === null ? "more.stay" : "more.unschedule",
        () => void attempt(() => session.act(() => unschedule(session))),
        isPlanned && may("pages.publish"),
      )}
      {item(
        "more.apply",
        () => void attempt(() => session.act(() => publish(session))),
        hasWorkingCopy && !isPublic,
      )}
      {item(
        "more.unpublish",
        () => void attempt(() => withdraw(session, "draft")),
        (isPublic || coming !== null || session.live.value.status === "archived") &&
          may("pages.publish"),
      )}
      {item(
        "more.archive",
        () => void attempt(() => withdraw(session, "archived")),
        isPublic && may("pages.publish"),
      )}
      {item("more.discard", () => onAsk("discard"), hasWorkingCopy)}
      {item("more.delete", () => onAsk("delete"), may("pages.delete"))}
    </Menu>
  );
}

/** Publishes the text and the page. @throws ApiError, OfflineError. */
export async function publishShortcut(session: EditSession): Promise<void> {
  const { isPublic, coming } = stateOf(session);
  const isDone = await session.act(async () => {
    if (coming !== null) await unschedule(session);
    return publish(session, isPublic ? undefined : "published");
  });
  if (!isDone) return;
  done(t("publish.done"), { label: t("publish.view"), run: () => showPage(session) });
}

/** Opens the public page in a window of its own. */
function showPage({ live }: EditSession): void {
  open(siteHref(live.value.route), "_blank");
}

/** What visitors see of the page. */
function stateOf({ live }: EditSession): {
  isPublic: boolean;
  /** When it appears, in Unix ms; null: it is there, or is not planned. */
  coming: number | null;
  /** When it disappears. */
  going: number | null;
} {
  const { coming, going } = plannedTimes(live.value);
  return { isPublic: live.value.status === "published" && coming === null, coming, going };
}

/** Takes the plan back: a page that was to appear is a draft again, one that was to go stays. */
async function unschedule(session: EditSession): Promise<void> {
  await session.flush();
  const { coming } = stateOf(session);
  const action = coming === null ? "unpublish" : "publish";
  await call("DELETE /workflow/schedule/*path", {
    params: { path: session.path },
    query: { action },
  });
  await refreshLive(session);
  done(t(`unschedule.${action}`));
}

async function askForReview(session: EditSession, requested: boolean): Promise<void> {
  await session.flush();
  const { review } = await call("POST /drafts/*path/review", {
    params: { path: session.path },
    body: { requested },
  });
  session.review.value = review;
  done(t(requested ? "review.sent" : "review.withdrawn"));
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
  const { isPublic, coming, going } = stateOf(session);
  const action = isPublic ? "unpublish" : "publish";
  const planned = isPublic ? going : coming;
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
        <input
          type="datetime-local"
          name="at"
          required
          autoFocus
          min={localTime(Date.now())}
          defaultValue={planned === null ? undefined : localTime(planned)}
        />
      </label>
      <p class="dim">{t("schedule.zone", { zone: timeZone() })}</p>
    </FormDialog>
  );
}

/** The time zone of the browser: `Europe/Berlin (UTC+1)`. */
function timeZone(): string {
  const format = new Intl.DateTimeFormat(language, { timeZoneName: "short" });
  const { timeZone: zone } = format.resolvedOptions();
  const name = format.formatToParts().find(({ type }) => type === "timeZoneName")?.value ?? "";
  return `${zone} (${name})`;
}

/** Formats a time as `datetime-local` does, in the person's time zone. */
function localTime(at: number): string {
  const offset = new Date(at).getTimezoneOffset() * 60_000;
  return new Date(at - offset).toISOString().slice(0, 16);
}

/** Moves the page to the trash; names the pages and records that use it first. */
function DeletePage(props: DialogProps): VNode {
  const { path } = props.session;
  const references = useLoaded(path, () =>
    call("GET /pages/*path/references", { params: { path } }).then(({ items }) => items),
  );
  const users = [...new Set((references.data ?? []).map(({ from }) => from))];
  return (
    <FormDialog
      title={t("delete.title")}
      action={t("delete.action")}
      danger
      onClose={props.onClose}
      onSubmit={async () => {
        await call("DELETE /pages/*path", { params: { path } });
        done(t("delete.done"));
        queueMicrotask(() => navigate("/pages"));
      }}
    >
      <p>{t("delete.why")}</p>
      {users.length > 0 && (
        <div class="notice warn">
          <p>{t("delete.used")}</p>
          <ul>
            {users.map((user) => (
              <li key={user}>{user}</li>
            ))}
          </ul>
        </div>
      )}
    </FormDialog>
  );
}
