/** Actions on an edited page: publish, discard, reload, resolve a conflict. */
import { editPath, navigate } from "../../../app/router.js";
import { done } from "../../../app/toasts.js";
import { siteHref } from "../../../boot.js";
import { plannedTimes } from "../../../parts/badge.js";
import { t } from "../editor-texts.js";
import type { EditSession } from "../saving/edit-session.js";
import { dropLocalCopy } from "../saving/local-copy.js";
import { ApiError, request, call } from "../../../api/request.js";

/**
 * Publishes the text; `status` makes an unpublished page public, `note` answers a request for a review. False when
 * the text could not be saved or is in conflict: the screen shows why.
 * @throws ApiError, OfflineError.
 */
export async function publish(
  session: EditSession,
  status?: "published",
  note = "",
): Promise<boolean> {
  await session.flush();
  if (session.state.value !== "clean") return false;
  const { stored, path, live } = session;
  if (stored.isDraft) {
    const seen = { etag: stored.etag, ...(status && { status }), ...(note !== "" && { note }) };
    try {
      await request("POST /drafts/*path/publish", {
        params: { path },
        body: seen,
        ifMatch: live.value.hash === "" ? undefined : live.value.hash,
      });
    } catch (error) {
      if (error instanceof ApiError && error.movedTo !== null) {
        session.moveTo(error.movedTo);
        return publish(session, status, note);
      }
      if (!session.showConflict(error)) {
        // The fields show what the server found wrong in them.
        session.problem.value = error;
        throw error;
      }
      return false;
    }
  } else if (status !== undefined)
    await call("POST /workflow/transition", { body: { path, to: status } });
  await reload(session);
  return true;
}

/** Shows the live page again, without the working copy. @throws ApiError, OfflineError. */
export async function discard(session: EditSession): Promise<void> {
  await session.flush();
  if (session.stored.isDraft)
    await call("DELETE /drafts/*path", { params: { path: session.path } });
  await reload(session);
}

/** Copies the page as it is in the editor, and opens the copy. @throws ApiError, OfflineError. */
export async function duplicate({ path, text }: EditSession): Promise<void> {
  const copy = await call("POST /pages/duplicate", { body: { path, content: text.text } });
  done(t("duplicate.done"));
  navigate(editPath(copy.sourcePath));
}

/** Loads the live page. @throws ApiError, OfflineError. */
export async function reload(session: EditSession): Promise<void> {
  const { data } = await request("GET /pages/*path", { params: { path: session.path } });
  await dropLocalCopy(session.path);
  session.adopt(data);
}

/** Reads status and digest of the live page again; unpublished text stays. */
export async function refreshLive(session: EditSession): Promise<void> {
  if (!session.stored.isDraft && session.state.value === "clean") return reload(session);
  session.live.value = (await request("GET /pages/*path", { params: { path: session.path } })).data;
}

/** Continues with a text that takes the other version into account. */
export async function resolve(session: EditSession, text: string): Promise<void> {
  const conflict = session.conflict.value;
  if (conflict === null) return;
  const { data } = await request("GET /pages/*path", { params: { path: session.path } });
  session.live.value = data;
  if (text === data.raw) {
    if (conflict.etag !== null)
      await call("DELETE /drafts/*path", { params: { path: session.path } });
    return reload(session);
  }
  const isDraft = conflict.etag !== null;
  const theirs = conflict.theirs ?? data.raw;
  const version = { text: theirs, etag: conflict.etag ?? data.hash, isDraft };
  await session.continueFrom(version, text);
}

/** Publishes the text and the page; `note` answers a request for a review. @throws ApiError, OfflineError. */
export async function publishShortcut(session: EditSession, note = ""): Promise<void> {
  const { isPublic, coming } = publicationOf(session);
  const isDone = await session.act(async () => {
    if (coming !== null) await unschedule(session);
    return publish(session, isPublic ? undefined : "published", note);
  });
  if (!isDone) return;
  const view = { label: t("publish.view"), run: () => showPage(session) };
  done(t("publish.done"), isVisible(session) ? view : undefined);
}

/** Opens the public page in a window of its own. */
export function showPage({ live }: EditSession): void {
  const { url } = live.value;
  if (url !== null) open(siteHref(url), "_blank");
}

/** True when the page has an address at which visitors see it. */
export function isVisible(session: EditSession): boolean {
  return publicationOf(session).isPublic && session.live.value.url !== null;
}

/** What visitors see of the page. */
export function publicationOf({ live }: EditSession): {
  isPublic: boolean;
  /** When it is published, in Unix ms; null: it already is, or is not planned. */
  coming: number | null;
  /** When it is withdrawn. */
  going: number | null;
} {
  const { coming, going } = plannedTimes(live.value);
  return { isPublic: live.value.status === "published" && coming === null, coming, going };
}

/**
 * Cancels the plan: a page to be published becomes a draft again, a page to be withdrawn stays public.
 * @throws ApiError, OfflineError.
 */
export async function unschedule(session: EditSession): Promise<void> {
  await session.flush();
  const { coming } = publicationOf(session);
  const action = coming === null ? "unpublish" : "publish";
  await call("DELETE /workflow/schedule/*path", {
    params: { path: session.path },
    query: { action },
  });
  await refreshLive(session);
  done(t(`unschedule.${action}`));
}
