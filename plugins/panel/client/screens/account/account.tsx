import type { ComponentChildren, VNode } from "preact";
import { useState } from "preact/hooks";
import { t as app, texts } from "../../app/texts.js";
import { attempt, done } from "../../app/toasts.js";
import de from "../../locales/de/account.json";
import en from "../../locales/en/account.json";
import { FormDialog, SavingForm } from "../../parts/forms.js";
import { Loading, useLoaded } from "../../parts/loading.js";
import { Moment } from "../../parts/moment.js";
import { Authenticator, CurrentPassword } from "./authenticator.js";
import { Passkeys } from "./passkeys.js";
import { call, hooks, type Answer } from "../../api/request.js";
import { loadSession, type Session } from "../../api/session.js";

type OwnAccount = Answer<"GET /me">;

const t = texts({ en, de });

/** The own account: name, password, second factors, sessions. */
export default function Account(): VNode {
  const account = useLoaded("me", () => call("GET /me"));
  return (
    <div class="screen">
      <header class="screen-head">
        <h1>{app("screen.account")}</h1>
      </header>
      <Loading of={account}>
        {(profile) => (
          <div class="cards">
            <Names account={profile} onDone={account.reload} />
            {profile.hasPassword && <Password />}
            {profile.hasPassword && <Authenticator />}
            <Passkeys hasPassword={profile.hasPassword} />
            <Provider account={profile} onDone={account.reload} />
            <Sessions />
          </div>
        )}
      </Loading>
    </div>
  );
}

interface NamesProps {
  account: OwnAccount;
  /** Called after the change, to load again what is shown. */
  onDone(): void;
}

function Names({ account, onDone }: NamesProps): VNode {
  const submit = async (form: FormData): Promise<void> => {
    const change = Object.fromEntries(
      ["name", "email", "current"].flatMap((name) => {
        const value = String(form.get(name) ?? "");
        const isSame = [account.email, account.pendingEmail].includes(value) && name === "email";
        return isSame || (value === "" && name === "current") ? [] : [[name, value]];
      }),
    );
    const { pendingEmail } = await call("PATCH /me", { body: change });
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
    const body = { current: String(form.get("current")), next };
    continueWith(await call("POST /me/password", { body }));
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

interface CardFormProps {
  title: string;
  /** Text of the button. */
  action: string;
  children: ComponentChildren;
  onSubmit(form: FormData): Promise<void>;
}

/** A form in a card; it shows why it failed, and is empty again after it succeeded. */
function CardForm(props: CardFormProps): VNode {
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

/** Browsers that are signed in; each can be signed out. */
function Sessions(): VNode {
  const sessions = useLoaded("sessions", () => call("GET /me/sessions"));
  const end = async (work: () => Promise<unknown>): Promise<void> => {
    if (await attempt(work)) done(t("sessions.done"));
    sessions.reload();
  };
  return (
    <section class="card" aria-label={t("sessions")}>
      <h2>{t("sessions")}</h2>
      <Loading of={sessions}>
        {({ items }) => (
          <>
            <ul>
              {items.map(({ id, device, address, lastSeenAt, current }) => (
                <li key={id} class="page-line">
                  <span>
                    {device} {current && <span class="badge good">{t("sessions.current")}</span>}
                    <br />
                    <small class="dim">
                      {address} · <Moment at={lastSeenAt} />
                    </small>
                  </span>
                  {!current && (
                    <button
                      type="button"
                      aria-label={t("sessions.endOne", { device })}
                      onClick={() =>
                        void end(() => call("DELETE /me/sessions/:id", { params: { id } }))
                      }
                    >
                      {t("sessions.end")}
                    </button>
                  )}
                </li>
              ))}
            </ul>
            {items.length > 1 && (
              <button
                type="button"
                onClick={() =>
                  void end(async () => continueWith(await call("DELETE /me/sessions")))
                }
              >
                {t("sessions.endOthers")}
              </button>
            )}
          </>
        )}
      </Loading>
    </section>
  );
}

/** Connects the account with the OpenID provider of the site, or disconnects it. */
function Provider(props: NamesProps): VNode | null {
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
        {!isOwn && (
          <Button
            label={label}
            linked={linked}
            hasPassword={hasPassword}
            onClick={() => setOpen(true)}
          />
        )}
      </div>
      {isOpen && <Ask {...props} of={oidc} onClose={() => setOpen(false)} />}
    </section>
  );
}

interface ButtonProps {
  label: string;
  linked: boolean;
  hasPassword: boolean;
  onClick(): void;
}

function Button({ label, linked, hasPassword, onClick }: ButtonProps): VNode {
  if (!hasPassword) return <p class="notice">{t("provider.noPassword")}</p>;
  return (
    <div class="actions">
      <button type="button" onClick={onClick}>
        {t(linked ? "provider.disconnect" : "provider.connect", { label })}
      </button>
    </div>
  );
}

interface AskProps {
  of: NonNullable<OwnAccount["oidc"]>;
  onClose(): void;
  /** Called after the change, to load again what is shown. */
  onDone(): void;
}

function Ask(props: AskProps): VNode {
  const { label, linked } = props.of;
  const submit = async (form: FormData): Promise<void> => {
    const current = String(form.get("current"));
    if (!linked) {
      location.assign(await call("POST /me/oidc", { body: { current } }).then(({ url }) => url));
      return;
    }
    await call("DELETE /me/oidc", { body: { current } });
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

/** The session continues under a new token. */
function continueWith({ csrfToken }: Pick<Session, "csrfToken">): void {
  hooks.csrfToken = csrfToken ?? "";
}
