import type { EditSession } from "../saving/edit-session.js";

/** The status of the live page, as the server sees it. */
export function statusOf(session: EditSession): string {
  return session.live.value.status;
}
