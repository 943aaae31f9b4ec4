import type { VNode } from "preact";
import { useState } from "preact/hooks";
import { done } from "../../../app/toasts.js";
import { Dialog } from "../../../parts/dialog.js";
import { FormDialog } from "../../../parts/forms.js";
import { Loading, useLoaded } from "../../../parts/loading.js";
import { fullMoment, Moment } from "../../../parts/moment.js";
import { t } from "../editor-texts.js";
import { reload } from "../publish/page-actions.js";
import type { EditSession } from "../saving/edit-session.js";
import { call, type Answer, type Item } from "../../../api/request.js";
import { may } from "../../../api/session.js";

type DiffLine = Answer<"GET /history/*path/:n/diff">["lines"][number];
type Revision = Item<"GET /history/*path">;

const SIGNS = { same: " ", added: "+", removed: "−" } as const;

interface HistoryPaneProps {
  session: EditSession;
}

/** Versions of the page; each can be compared and restored. */
export default function HistoryPane({ session }: HistoryPaneProps): VNode {
  const revisions = useLoaded(session.live.value.hash, () =>
    call("GET /history/*path", { params: { path: session.path } }),
  );
  const [shown, setShown] = useState<Revision | null>(null);
  return (
    <Loading of={revisions}>
      {({ items }) => (
        <>
          {items.length === 0 && <p class="dim">{t("history.none")}</p>}
          <ol class="plain-list">
            {items.map((revision) => (
              <li key={revision.n}>
                <button type="button" class="revision" onClick={() => setShown(revision)}>
                  <strong>
                    <Moment at={revision.createdAt} />
                  </strong>
                  <span class="dim">
                    {revision.actor?.name ?? t("history.outside")}
                    {revision.message === "" ? "" : ` · ${revision.message}`}
                  </span>
                </button>
              </li>
            ))}
          </ol>
          {shown !== null && (
            <Comparison session={session} revision={shown} onClose={() => setShown(null)} />
          )}
        </>
      )}
    </Loading>
  );
}

interface ComparisonProps {
  session: EditSession;
  revision: Revision;
  onClose(): void;
}

function Comparison({ session, revision, onClose }: ComparisonProps): VNode {
  const diff = useLoaded(String(revision.n), () =>
    call("GET /history/*path/:n/diff", { params: { path: session.path, n: revision.n } }),
  );
  const time = fullMoment(revision.createdAt);
  // The live page itself: there is nothing to restore.
  if (diff.data?.lines.every(({ kind }) => kind === "same") === true) {
    return (
      <Dialog title={t("history.version", { time })} onClose={onClose}>
        <p>{t("history.equal")}</p>
      </Dialog>
    );
  }
  return (
    <FormDialog
      title={t("history.version", { time })}
      action={t("history.restore")}
      onClose={onClose}
      onSubmit={async () => {
        if (!may("pages.update", session.live.value)) throw new Error(t("history.forbidden"));
        await session.act(async () => {
          await call("POST /history/*path/:n/restore", {
            params: { path: session.path, n: revision.n },
          });
          await reload(session);
        });
        done(t("history.restored", { time }));
      }}
    >
      <p class="dim">{t("history.legend")}</p>
      <Loading of={diff}>{({ lines }) => <Diff lines={lines} />}</Loading>
    </FormDialog>
  );
}

interface DiffProps {
  lines: readonly DiffLine[];
}

/** Lines of a comparison; long runs of equal lines are left out. */
function Diff({ lines }: DiffProps): VNode {
  const near = lines.map((_, at) =>
    lines.slice(Math.max(0, at - 2), at + 3).some(({ kind }) => kind !== "same"),
  );
  const isEqual = lines.every(({ kind }) => kind === "same");
  if (isEqual) return <p>{t("history.equal")}</p>;
  return (
    <div class="diff" role="region" tabIndex={0} aria-label={t("history.diff")}>
      {lines.map((line, at) =>
        near[at] ? (
          <div key={at} class={`diff-line ${line.kind}`}>
            <span aria-hidden="true">{SIGNS[line.kind]}</span>
            {line.kind === "added" && <ins>{line.text}</ins>}
            {line.kind === "removed" && <del>{line.text}</del>}
            {line.kind === "same" && <span>{line.text}</span>}
          </div>
        ) : (
          near[at - 1] && <hr key={at} />
        ),
      )}
    </div>
  );
}
