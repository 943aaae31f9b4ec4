import type { VNode } from "preact";
import { navigate } from "../../../app/router.js";
import { done } from "../../../app/toasts.js";
import { FormDialog } from "../../../parts/forms.js";
import { useLoaded } from "../../../parts/loading.js";
import { t } from "../editor-texts.js";
import type { EditSession } from "../saving/edit-session.js";
import { call } from "../../../api/request.js";

interface DeletePageProps {
  session: EditSession;
  onClose(): void;
}

/** Moves the page to the trash; names the pages and records that use it first. */
export default function DeletePage(props: DeletePageProps): VNode {
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
