import type { VNode } from "preact";
import { t as app } from "../../app/texts.js";
import { done, failed } from "../../app/toasts.js";
import { toReason } from "../../parts/loading.js";
import { FormDialog } from "../../parts/forms.js";
import { t } from "./record-type.js";
import { call } from "../../api/request.js";

interface DeleteRecordsProps {
  /** Name of the type. */
  type: string;
  ids: readonly string[];
  onClose(): void;
  /** Called after the dialog has closed. */
  onDone(): void;
}

/** Asks before records are deleted, and reports those that stay. */
export function DeleteRecords(props: DeleteRecordsProps): VNode {
  const n = props.ids.length;
  return (
    <FormDialog
      title={t("delete.title", { n })}
      action={app("delete")}
      danger
      onClose={props.onClose}
      onSubmit={async () => {
        await deleteAll(props.type, props.ids);
        // After the dialog has closed.
        queueMicrotask(props.onDone);
      }}
    >
      <p>{t("delete.why")}</p>
    </FormDialog>
  );
}

async function deleteAll(type: string, ids: readonly string[]): Promise<void> {
  let n = 0;
  let reason: Error | null = null;
  for (const id of ids) {
    try {
      await call("DELETE /flex/:type/:id", { params: { type, id } });
      n += 1;
    } catch (error) {
      reason = error instanceof Error ? error : new Error(String(error));
    }
  }
  if (n > 0) done(t("delete.done", { n }));
  if (reason === null) return;
  if (n === 0) throw reason;
  failed(t("delete.some", { n: ids.length - n, total: ids.length, reason: toReason(reason) }));
}
