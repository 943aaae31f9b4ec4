import type { VNode } from "preact";
import { changeAccount, createAccount, type Account } from "../../api/accounts/accounts.js";
import { done } from "../../app/toasts.js";
import { t as app } from "../../app/app-texts.js";
import { FormDialog } from "../../parts/form-dialog.js";
import { RoleChoice } from "./role-choice.js";
import { t } from "./users-texts.js";

/** What the dialog needs. */
export interface AccountFormProps {
  /** Null: a new account. */
  account: Account | null;
  onClose(): void;
  onDone(): void;
}

/** Creates an account, or changes its names, roles and state. */
export function AccountForm({ account, onClose, onDone }: AccountFormProps): VNode {
  return account === null ? (
    <FormDialog
      title={t("create")}
      action={t("create.action")}
      onClose={onClose}
      onSubmit={async (form) => {
        await createAccount(newAccount(form));
        done(t("created"));
        onDone();
      }}
    >
      <Names account={null} />
      <RoleChoice roles={["author"]} />
      <PasswordField />
    </FormDialog>
  ) : (
    <FormDialog
      title={t("edit", { name: nameOf(account) })}
      action={app("save")}
      onClose={onClose}
      onSubmit={async (form) => {
        await save(account, form);
        done(t("saved"));
        onDone();
      }}
    >
      <Names account={account} />
      <RoleChoice roles={account.roles} />
      <label class="inline">
        <input type="checkbox" name="enabled" defaultChecked={account.enabled} />
        {t("mayLogin")}
      </label>
    </FormDialog>
  );
}

function Names({ account }: { account: Account | null }): VNode {
  return (
    <>
      <label>
        {t("email")}
        <input
          type="email"
          name="email"
          required
          maxLength={320}
          defaultValue={account?.email ?? ""}
        />
      </label>
      <label>
        {t("name")}
        <input name="name" maxLength={200} autocomplete="off" defaultValue={account?.name ?? ""} />
      </label>
      <label>
        {t("username")}
        <input
          name="username"
          maxLength={64}
          autocomplete="off"
          defaultValue={account?.username ?? ""}
        />
      </label>
    </>
  );
}

/** The name that a list shows of an account. */
export function nameOf({ name, username, email }: Account): string {
  return name || username || email;
}

/** A new password. */
export function PasswordField(): VNode {
  return (
    <label>
      {t("password")}
      <input
        type="password"
        name="password"
        required
        maxLength={1024}
        autocomplete="new-password"
        aria-describedby="password-help"
      />
      <span class="help" id="password-help">
        {t("password.help")}
      </span>
    </label>
  );
}

function newAccount(form: FormData): Parameters<typeof createAccount>[0] {
  const [name, username] = [textOf(form, "name"), textOf(form, "username")];
  return {
    email: textOf(form, "email"),
    roles: rolesOf(form),
    password: String(form.get("password")),
    ...(name !== "" && { name }),
    ...(username !== "" && { username }),
  };
}

/** Sends only what differs: an empty username is not a valid one. */
async function save(account: Account, form: FormData): Promise<void> {
  const given = {
    email: textOf(form, "email"),
    name: textOf(form, "name"),
    username: textOf(form, "username"),
    roles: rolesOf(form),
    enabled: form.get("enabled") !== null,
  };
  const former: Readonly<Record<string, unknown>> = { ...account };
  const differs = ([key, value]: [string, unknown]): boolean =>
    String(value) !== String(former[key] ?? "");
  await changeAccount(account.id, Object.fromEntries(Object.entries(given).filter(differs)));
}

function rolesOf(form: FormData): string[] {
  const others = textOf(form, "otherRoles").split(",");
  const all = [...form.getAll("role").map(String), ...others.map((role) => role.trim())];
  return [...new Set(all.filter((role) => role !== ""))];
}

function textOf(form: FormData, name: string): string {
  const value = form.get(name);
  return typeof value === "string" ? value.trim() : "";
}
