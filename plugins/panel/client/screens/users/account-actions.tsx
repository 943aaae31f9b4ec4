import { KeyRound, Trash2 } from "lucide";
import type { VNode } from "preact";
import { useState } from "preact/hooks";
import { deleteAccount, setAccountPassword, type Account } from "../../api/accounts/accounts.js";
import { t as app } from "../../app/app-texts.js";
import { done } from "../../app/toasts.js";
import { FormDialog } from "../../parts/form-dialog.js";
import { Icon } from "../../parts/icon.js";
import { nameOf, PasswordField } from "./account-form.js";
import { t } from "./users-texts.js";

/** Buttons of one account: set a password, delete. */
export function AccountActions(props: { account: Account; isOwn: boolean; onDone(): void }): VNode {
  const { account, isOwn, onDone } = props;
  const [asks, setAsks] = useState<"password" | "delete" | null>(null);
  const name = nameOf(account);
  const close = (): void => setAsks(null);
  return (
    <div class="row-buttons">
      <button
        type="button"
        class="icon"
        title={t("setPassword")}
        aria-label={t("setPassword.title", { name })}
        onClick={() => setAsks("password")}
      >
        <Icon of={KeyRound} />
      </button>
      <button
        type="button"
        class="icon"
        title={app("delete")}
        aria-label={t("delete.title", { name })}
        disabled={isOwn}
        onClick={() => setAsks("delete")}
      >
        <Icon of={Trash2} />
      </button>
      {asks === "password" && <SetPassword account={account} onClose={close} onDone={onDone} />}
      {asks === "delete" && <Delete account={account} onClose={close} onDone={onDone} />}
    </div>
  );
}

interface QuestionProps {
  account: Account;
  onClose(): void;
  onDone(): void;
}

function SetPassword({ account, onClose, onDone }: QuestionProps): VNode {
  return (
    <FormDialog
      title={t("setPassword.title", { name: nameOf(account) })}
      action={t("setPassword")}
      onClose={onClose}
      onSubmit={async (form) => {
        await setAccountPassword(account.id, String(form.get("password")));
        done(t("setPassword.done"));
        onDone();
      }}
    >
      <p>{t("setPassword.why")}</p>
      <PasswordField />
    </FormDialog>
  );
}

function Delete({ account, onClose, onDone }: QuestionProps): VNode {
  return (
    <FormDialog
      title={t("delete.title", { name: nameOf(account) })}
      action={app("delete")}
      danger
      onClose={onClose}
      onSubmit={async () => {
        await deleteAccount(account.id);
        done(t("delete.done"));
        onDone();
      }}
    >
      <p>{t("delete.why")}</p>
    </FormDialog>
  );
}
