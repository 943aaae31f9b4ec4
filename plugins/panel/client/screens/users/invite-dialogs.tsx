import type { VNode } from "preact";
import { invite, type SentInvitation } from "../../api/accounts/accounts.js";
import { Dialog } from "../../parts/dialog.js";
import { FormDialog } from "../../parts/form-dialog.js";
import { SecretText } from "../../parts/secret-text.js";
import { roleText, usePanelRoles } from "./role-choice.js";
import { t } from "./users-texts.js";

/** Asks whom to invite. */
export function InviteForm(props: { onClose(): void; onSent(sent: SentInvitation): void }): VNode {
  const roles = usePanelRoles();
  return (
    <FormDialog
      title={t("invite")}
      action={t("invite.action")}
      onClose={props.onClose}
      onSubmit={async (form) => {
        props.onSent(await invite(String(form.get("email")).trim(), String(form.get("role"))));
      }}
    >
      <p class="dim">{t("invite.why")}</p>
      <label>
        {t("email")}
        <input type="email" name="email" required maxLength={320} autocomplete="off" />
      </label>
      <label>
        {t("invite.role")}
        <select name="role">
          {roles.map((role) => (
            <option key={role.name} value={role.name} selected={role.name === "author"}>
              {roleText(role)}
            </option>
          ))}
        </select>
      </label>
    </FormDialog>
  );
}

/** The link of an invitation, for a site that cannot send mail. */
export function InviteLink(props: { email: string; link: string; onClose(): void }): VNode {
  const title = t("invite.linkTitle", { email: props.email });
  return (
    <Dialog title={title} onClose={props.onClose}>
      <p>{t("invite.link")}</p>
      <SecretText label={title} text={props.link} />
    </Dialog>
  );
}
