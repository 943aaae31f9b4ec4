import type { VNode } from "preact";
import { useState } from "preact/hooks";
import { runBatch, type Operation } from "../../api/content/batch.js";
import { may } from "../../api/session.js";
import { t as app } from "../../app/app-texts.js";
import { attempt, done, failed } from "../../app/toasts.js";
import { FormDialog } from "../../parts/form-dialog.js";
import { t } from "./pages-texts.js";

/** Actions on all selected pages. */
export function BulkBar({ paths, onDone }: { paths: readonly string[]; onDone(): void }): VNode {
  const [asks, setAsks] = useState<"delete" | "tag" | null>(null);
  const n = paths.length;
  const run = async (make: (path: string) => Operation): Promise<void> => {
    await attempt(() => report(paths.map(make)));
    onDone();
  };
  return (
    <div class="bulk-bar row" role="group" aria-label={t("selected", { n })}>
      <strong>{t("selected", { n })}</strong>
      {may("pages.publish") && (
        <>
          <button type="button" onClick={() => void run((path) => ({ op: "publish", path }))}>
            {t("publish")}
          </button>
          <button type="button" onClick={() => void run((path) => ({ op: "unpublish", path }))}>
            {t("unpublish")}
          </button>
        </>
      )}
      {may("pages.update") && (
        <button type="button" onClick={() => setAsks("tag")}>
          {t("tag")}
        </button>
      )}
      {may("pages.delete") && (
        <button type="button" class="danger" onClick={() => setAsks("delete")}>
          {app("delete")}
        </button>
      )}
      {asks === "delete" && (
        <FormDialog
          title={t("delete.title", { n })}
          action={app("delete")}
          danger
          onClose={() => setAsks(null)}
          onSubmit={() => run((path) => ({ op: "delete", path }))}
        >
          <p>{t("delete.why")}</p>
        </FormDialog>
      )}
      {asks === "tag" && (
        <FormDialog
          title={t("tag.title", { n })}
          action={t("tag.action")}
          onClose={() => setAsks(null)}
          onSubmit={(form) =>
            run((path) => ({ op: "tag", path, value: String(form.get("tag")).trim() }))
          }
        >
          <label>
            {t("tag.value")}
            <input name="tag" required maxLength={80} autoFocus />
          </label>
        </FormDialog>
      )}
    </div>
  );
}

async function report(operations: readonly Operation[]): Promise<void> {
  const results = await runBatch(operations);
  const wrong = results.filter(({ status }) => status === "error");
  const n = results.length - wrong.length;
  const isDelete = operations[0]?.op === "delete";
  if (n > 0) done(t(isDelete ? "delete.done" : "changed.done", { n }));
  const [first] = wrong;
  if (first === undefined) return;
  const reason = first.error ?? "";
  failed(t("changed.some", { n: wrong.length, total: results.length, reason }));
}
