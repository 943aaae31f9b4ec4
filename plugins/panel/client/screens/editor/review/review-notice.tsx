import type { VNode } from "preact";
import { useEffect, useState } from "preact/hooks";
import { may } from "../../../api/session.js";
import { address } from "../../../app/router.js";
import type { EditSession } from "../saving/edit-session.js";
import Review, { ReviewWords } from "./review.js";
import { t } from "./review-texts.js";

interface ReviewNoticeProps {
  session: EditSession;
}

/** Shows a pending or answered review above the text, with the next step. */
export default function ReviewNotice({ session }: ReviewNoticeProps): VNode | null {
  const [shows, setShows] = useState<"ask" | "changes" | null>(null);
  // The address in the mail to a reviewer.
  useEffect(() => {
    if (address.peek().query.has("review") && may("pages.publish", session.live.peek()))
      setShows("changes");
  }, []);
  const review = session.review.value;
  if (review === null) return null;
  return (
    <div class={`notice review-notice ${review.sentBack === null ? "" : "warn"}`} role="status">
      <ReviewWords session={session} />
      <div class="row">
        <button type="button" onClick={() => setShows("changes")}>
          {t("open")}
        </button>
        {review.sentBack !== null && may("pages.update", session.live.value) && (
          <button type="button" onClick={() => setShows("ask")}>
            {t("again")}
          </button>
        )}
      </div>
      {shows !== null && <Review session={session} shows={shows} onClose={() => setShows(null)} />}
    </div>
  );
}
