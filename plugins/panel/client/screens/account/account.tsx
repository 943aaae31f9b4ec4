import type { ComponentChildren, VNode } from "preact";
import {
  changeOwnAccount,
  changeOwnPassword,
  readAccount,
  type OwnAccount,
} from "../../api/account/own-account.js";
import { loadSession } from "../../api/session.js";
import { t as app } from "../../app/app-texts.js";
import { done } from "../../app/toasts.js";
import { Loading } from "../../parts/loading.js";
import { SavingForm } from "../../parts/saving-form.js";
import { useLoaded } from "../../parts/use-loaded.js";
import { t } from "./account-texts.js";
import { Authenticator } from "./authenticator.js";
import { CurrentPassword } from "./current-password.js";
import { Passkeys } from "./passkeys.js";
import { Provider } from "./provider.js";
import { Sessions } from "./sessions.js";

/** The own account: name, password, second factors, sessions. */
export default function Account(): VNode {
  const account = useLoaded("me", readAccount);
  return (
    <div class="screen">
      <header class="screen-head">
        <h1>{app("screen.account")}</h1>
      </header>
      <Loading of={account}>
        {(own) => (
          <div class="cards">
            <Names account={own} onDone={account.reload} />
            {own.hasPassword && <Password />}
            {own.hasPassword && <Authenticator />}
            <Passkeys hasPassword={own.hasPassword} />
            <Provider account={own} onDone={account.reload} />
            <Sessions />
          </div>
        )}
      </Loading>
    </div>
  );
}

function Names({ account, onDone }: { account: OwnAccount; onDone(): void }): VNode {
  const submit = async (form: FormData): Promise<void> => {
    const change = Object.fromEntries(
      ["name", "email", "current"].flatMap((name) => {
        const value = String(form.get(name) ?? "");
        const isSame = [account.email, account.pendingEmail].includes(value) && name === "email";
        return isSame || (value === "" && name === "current") ? [] : [[name, value]];
      }),
    );
    const { pendingEmail } = await changeOwnAccount(change);
    await loadSession();
    const isSent = pendingEmail !== null && pendingEmail !== account.pendingEmail;
    done(isSent ? t("email.sent", { email: pendingEmail }) : t("saved"));
    onDone();
  };
  return (
    <CardForm title={t("names")} action={app("save")} onSubmit={submit}>
      <label>
        {t("name")}
        <input
          name="name"
          maxLength={200}
          autocomplete="name"
          defaultValue={account.name ?? account.username ?? ""}
        />
      </label>
      <label>
        {t("email")}
        <input
          key={account.pendingEmail ?? account.email}
          type="email"
          name="email"
          required
          autocomplete="email"
          defaultValue={account.email}
        />
        {account.pendingEmail !== null && (
          <span class="help">{t("email.pending", { email: account.pendingEmail })}</span>
        )}
      </label>
      <label>
        {t("current")}
        <input type="password" name="current" autocomplete="current-password" />
        <span class="help">{t("current.why")}</span>
      </label>
    </CardForm>
  );
}

function Password(): VNode {
  const submit = async (form: FormData): Promise<void> => {
    const [next, again] = [String(form.get("next")), String(form.get("again"))];
    if (next !== again) throw new Error(t("password.differ"));
    await changeOwnPassword(String(form.get("current")), next);
    done(t("password.done"));
  };
  return (
    <CardForm title={t("password")} action={t("password.action")} onSubmit={submit}>
      <CurrentPassword />
      <label>
        {t("password.next")}
        <input type="password" name="next" required autocomplete="new-password" />
      </label>
      <label>
        {t("password.again")}
        <input type="password" name="again" required autocomplete="new-password" />
      </label>
      <p class="help">{t("password.why")}</p>
    </CardForm>
  );
}

/** A form in a card; it shows why it failed, and is empty again after it succeeded. */
function CardForm(props: {
  title: string;
  action: string;
  children: ComponentChildren;
  onSubmit(form: FormData): Promise<void>;
}): VNode {
  const submit = async (values: FormData, form: HTMLFormElement): Promise<void> => {
    await props.onSubmit(values);
    for (const field of form.querySelectorAll<HTMLInputElement>("[type=password]")) {
      field.value = "";
    }
  };
  return (
    <section class="card" aria-label={props.title}>
      <h2>{props.title}</h2>
      <SavingForm onSubmit={submit}>
        {props.children}
        <div class="actions">
          <button type="submit">{props.action}</button>
        </div>
      </SavingForm>
    </section>
  );
}
