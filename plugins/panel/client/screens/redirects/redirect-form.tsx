import type { VNode } from "preact";
import { addRedirect, changeRedirect, type Redirect } from "../../api/settings/redirects.js";
import { done } from "../../app/toasts.js";
import { FormDialog } from "../../parts/form-dialog.js";
import { t } from "./redirects-texts.js";

/** Asks for the addresses of a redirect; without `of` of a new one. */
export function RedirectForm(props: {
  of?: Redirect;
  hash: string;
  onClose(): void;
  onDone(): void;
}): VNode {
  const { of, hash, onClose, onDone } = props;
  const submit = async (form: FormData): Promise<void> => {
    const from = String(form.get("from")).trim();
    const location = String(form.get("location")).trim();
    try {
      if (of === undefined) await addRedirect({ from, location }, hash);
      else await changeRedirect({ was: of.from, from, location }, hash);
      done(t(of === undefined ? "added" : "changed"));
    } finally {
      // After a conflict too: the next try needs the current file.
      onDone();
    }
  };
  return (
    <FormDialog
      title={of === undefined ? t("add") : t("edit", { from: of.from })}
      action={of === undefined ? t("add.action") : t("change")}
      onClose={onClose}
      onSubmit={submit}
    >
      <label>
        {t("from")}
        <input name="from" required maxLength={2048} autocomplete="off" defaultValue={of?.from} />
        <span class="help">{t("from.help")}</span>
      </label>
      <label>
        {t("location")}
        <input
          name="location"
          required
          maxLength={2048}
          autocomplete="off"
          defaultValue={of?.location}
        />
        <span class="help">{t("location.help")}</span>
      </label>
    </FormDialog>
  );
}
