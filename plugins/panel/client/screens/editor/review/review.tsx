import type { VNode } from "preact";
import { useState } from "preact/hooks";
import { call } from "../../../api/request.js";
import { may, session as signedIn } from "../../../api/session.js";
import { done } from "../../../app/toasts.js";
import { Dialog } from "../../../parts/dialog.js";
import { FormDialog } from "../../../parts/forms.js";
import { Failure, Loading, useLoaded } from "../../../parts/loading.js";
import { fullMoment } from "../../../parts/moment.js";
import { publishShortcut } from "../publish/page-actions.js";
import type { EditSession } from "../saving/edit-session.js";
import { Changes } from "./changes.js";
import { t } from "./review-texts.js";

interface ReviewProps {
  session: EditSession;
  /** `ask`: asks for a review; `changes`: shows what publishing changes, and answers a request. */
  shows: "ask" | "changes";
  onClose(): void;
}

/** The dialogs of a review. */
export default function Review({ session, shows, onClose }: ReviewProps): VNode {
  return shows === "ask" ? (
    <AskForReview session={session} onClose={onClose} />
  ) : (
    <ReviewChanges session={session} onClose={onClose} />
  );
}

type DialogProps = Omit<ReviewProps, "shows">;

function AskForReview({ session, onClose }: DialogProps): VNode {
  return (
    <FormDialog
      title={t("ask.title")}
      action={t("ask.action")}
      onClose={onClose}
      onSubmit={async (form) => {
        await session.flush();
        const { review } = await call("POST /drafts/*path/review", {
          params: { path: session.path },
          body: { requested: true, note: String(form.get("note") ?? "") },
        });
        session.review.value = review;
        done(t("sent"));
      }}
    >
      <p>{t("ask.why")}</p>
      <label>
        {t("ask.note")}
        <textarea name="note" rows={4} maxLength={2_000} />
        <span class="help">{t("ask.note.help")}</span>
      </label>
    </FormDialog>
  );
}

function ReviewChanges({ session, onClose }: DialogProps): VNode {
  const changes = useLoaded(session.path, async () => {
    await session.flush();
    return call("GET /drafts/*path/changes", { params: { path: session.path } });
  });
  const review = session.review.value;
  const isWaiting = review !== null && review.sentBack === null;
  return (
    <Dialog title={t("title")} onClose={onClose} wide>
      <div class="stack">
        <ReviewWords session={session} />
        <Loading of={changes}>{(loaded) => <Changes changes={loaded} />}</Loading>
        {isWaiting && may("pages.publish", session.live.value) ? (
          <Answer session={session} author={review.by.name} onClose={onClose} />
        ) : (
          <div class="actions">
            <button type="button" onClick={onClose}>
              {t("close")}
            </button>
          </div>
        )}
      </div>
    </Dialog>
  );
}

interface AnswerProps extends DialogProps {
  /** The name of the person who asked. */
  author: string;
}

/** Approves and publishes the text, or sends it back, with a note. */
function Answer({ session, author, onClose }: AnswerProps): VNode {
  const [note, setNote] = useState("");
  const [error, setError] = useState<unknown>(null);
  const [isBusy, setBusy] = useState(false);
  const run = async (action: () => Promise<void>): Promise<void> => {
    setBusy(true);
    try {
      await action();
      onClose();
    } catch (failure) {
      setError(failure);
      setBusy(false);
    }
  };
  const approve = (): Promise<void> => publishShortcut(session, note);
  const sendBack = async (): Promise<void> => {
    const { review } = await call("POST /drafts/*path/send-back", {
      params: { path: session.path },
      body: { note },
    });
    session.review.value = review;
    done(t("sendBack.done", { name: author }));
  };
  return (
    <>
      {error !== null && <Failure error={error} />}
      <label>
        {t("answer", { name: author })}
        <textarea
          rows={3}
          maxLength={2_000}
          value={note}
          onInput={(event) => setNote(event.currentTarget.value)}
        />
        <span class="help">{t("answer.help")}</span>
      </label>
      <div class="actions">
        <button type="button" disabled={isBusy} onClick={() => void run(sendBack)}>
          {t("sendBack")}
        </button>
        <button type="button" class="primary" disabled={isBusy} onClick={() => void run(approve)}>
          {t("approve")}
        </button>
      </div>
    </>
  );
}

interface SessionProps {
  session: EditSession;
}

/** Who asked for the review or sent the text back, when, and the note. */
export function ReviewWords({ session }: SessionProps): VNode | null {
  const review = session.review.value;
  if (review === null) return null;
  const { sentBack, by, requestedAt } = review;
  const isOwn = by.id === signedIn.value?.user.id;
  const shown = sentBack ?? review;
  const words =
    sentBack !== null
      ? t("back", { name: sentBack.by.name, time: fullMoment(sentBack.at) })
      : t(isOwn ? "waits.own" : "waits", { name: by.name, time: fullMoment(requestedAt) });
  return (
    <div class="review-words">
      <p>{words}</p>
      {shown.note !== "" && <blockquote>{shown.note}</blockquote>}
    </div>
  );
}
