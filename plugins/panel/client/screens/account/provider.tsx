import type { VNode } from "preact";
import { useState } from "preact/hooks";
import {
  connectProvider,
  disconnectProvider,
  type OwnAccount,
} from "../../api/account/own-account.js";
import { done } from "../../app/toasts.js";
import { FormDialog } from "../../parts/form-dialog.js";
import { t } from "./account-texts.js";
import { CurrentPassword } from "./current-password.js";

/** Connects the account with the OpenID provider of the site, or disconnects it. */
export function Provider(props: { account: OwnAccount; onDone(): void }): VNode | null {
  const { oidc, hasPassword } = props.account;
  const [isOpen, setOpen] = useState(false);
  if (oidc === null) return null;
  const { label, linked, removable } = oidc;
  const isOwn = linked && !removable;
  return (
    <section class="card" aria-label={t("provider")}>
      <h2>{t("provider")}</h2>
      <div class="stack">
        <p>{t(isOwn ? "provider.own" : linked ? "provider.linked" : "provider.why", { label })}</p>
        {!isOwn && <Button {...{ label, linked, hasPassword }} onClick={() => setOpen(true)} />}
      </div>
      {isOpen && <Ask {...props} of={oidc} onClose={() => setOpen(false)} />}
    </section>
  );
}

function Button(props: {
  label: string;
  linked: boolean;
  hasPassword: boolean;
  onClick(): void;
}): VNode {
  const { label, linked, hasPassword, onClick } = props;
  if (!hasPassword) return <p class="notice">{t("provider.noPassword")}</p>;
  return (
    <div class="actions">
      <button type="button" onClick={onClick}>
        {t(linked ? "provider.disconnect" : "provider.connect", { label })}
      </button>
    </div>
  );
}

function Ask(props: {
  of: NonNullable<OwnAccount["oidc"]>;
  onClose(): void;
  onDone(): void;
}): VNode {
  const { label, linked } = props.of;
  const submit = async (form: FormData): Promise<void> => {
    const current = String(form.get("current"));
    if (!linked) {
      location.assign(await connectProvider(current));
      return;
    }
    await disconnectProvider(current);
    done(t("provider.disconnected", { label }));
    props.onDone();
  };
  return (
    <FormDialog
      title={t(linked ? "provider.disconnect" : "provider.connect", { label })}
      action={t(linked ? "provider.disconnect.action" : "provider.connect.action")}
      danger={linked}
      onClose={props.onClose}
      onSubmit={submit}
    >
      <p>{t(linked ? "provider.disconnect.why" : "provider.connect.why", { label })}</p>
      <CurrentPassword />
    </FormDialog>
  );
}
