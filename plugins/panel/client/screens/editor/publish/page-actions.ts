/** Actions on an edited page: publish, discard, reload, resolve a conflict. */
import type { EditSession } from "../saving/edit-session.js";
import { dropLocalCopy } from "../saving/local-copy.js";
import { ApiError, request, call } from "../../../api/request.js";

/**
 * Publishes the text; `status` makes an unpublished page public. False when the text could not be saved
 * or is in conflict: the screen shows why.
 * @throws ApiError, OfflineError.
 */
export async function publish(session: EditSession, status?: "published"): Promise<boolean> {
  await session.flush();
  if (session.state.value !== "clean") return false;
  const { stored, path, live } = session;
  if (stored.isDraft) {
    const seen = { etag: stored.etag, ...(status && { status }) };
    try {
      await request("POST /drafts/*path/publish", {
        params: { path },
        body: seen,
        ifMatch: live.value.hash === "" ? undefined : live.value.hash,
      });
    } catch (error) {
      if (error instanceof ApiError && error.movedTo !== null) {
        session.moveTo(error.movedTo);
        return publish(session, status);
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
