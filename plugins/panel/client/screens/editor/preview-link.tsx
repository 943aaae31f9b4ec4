import type { VNode } from "preact";
import { useRef, useState } from "preact/hooks";
import { createPreviewLink } from "../../api/preview.js";
import { FormDialog } from "../../parts/form-dialog.js";
import { fullMoment } from "../../parts/moment.js";
import { Dialog } from "../../parts/dialog.js";
import type { EditSession } from "./edit-session.js";
import { t } from "./editor-texts.js";

const DAY_SECONDS = 86_400;

/** Creates an address that shows the working copy to people without an account. */
export default function PreviewLink(props: { session: EditSession; onClose(): void }): VNode {
  const { session, onClose } = props;
  const [link, setLink] = useState<{ url: string; expiresAt: number } | null>(null);
  const isCreated = useRef(false);
  if (link !== null) {
    return (
      <Dialog title={t("preview.link")} onClose={onClose}>
        <label>
          {t("preview.address", { time: fullMoment(link.expiresAt) })}
          <input readOnly value={link.url} onFocus={(event) => event.currentTarget.select()} />
        </label>
        <div class="actions">
          <button
            type="button"
            class="primary"
            onClick={() => void navigator.clipboard.writeText(link.url).then(onClose)}
          >
            {t("preview.copy")}
          </button>
        </div>
      </Dialog>
    );
  }
  return (
    <FormDialog
      title={t("preview.link")}
      action={t("preview.create")}
      onClose={() => {
        if (!isCreated.current) onClose();
      }}
      onSubmit={async (form) => {
        await session.flush();
        const expiresIn = Number(form.get("days")) * DAY_SECONDS;
        const created = await createPreviewLink(session.path, expiresIn);
        isCreated.current = true;
        setLink(created);
      }}
    >
      <p>{t("preview.why")}</p>
      <label>
        {t("preview.days")}
        <select name="days">
          {[1, 7, 30].map((days) => (
            <option key={days} value={days} selected={days === 7}>
              {t("preview.n", { n: days })}
            </option>
          ))}
        </select>
      </label>
    </FormDialog>
  );
}
