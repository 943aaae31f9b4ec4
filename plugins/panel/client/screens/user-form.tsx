import type { VNode } from "preact";
import { KeyRound, Trash2 } from "lucide";
import { useState } from "preact/hooks";
import { t as app, texts } from "../app/texts.js";
import { done } from "../app/toasts.js";
import de from "../locales/de/users.json";
import en from "../locales/en/users.json";
import { FormDialog } from "../parts/forms.js";
import { Icon } from "../parts/icon.js";
import { useLoaded, type Loaded } from "../parts/loading.js";
import { call, type Body } from "../api/request.js";
import type { Account, Role } from "../api/answers.js";

type NewAccount = Body<"POST /users">;

const t = texts({ en, de });

/** Properties of the dialog. */
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
        await call("POST /users", { body: newAccount(form) });
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
      title={t("edit", { name: displayName(account) })}
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

interface NamesProps {
  /** Null: a new account. */
  account: Account | null;
}

function Names({ account }: NamesProps): VNode {
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
export function displayName({ name, username, email }: Account): string {
  return name || username || email;
}

/** A new password. */
function PasswordField(): VNode {
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

function newAccount(form: FormData): NewAccount {
  const [name, username] = [readText(form, "name"), readText(form, "username")];
  return {
    email: readText(form, "email"),
    roles: readRoles(form),
    password: String(form.get("password")),
    ...(name !== "" && { name }),
    ...(username !== "" && { username }),
  };
}

/** Sends only what differs: an empty username is not a valid one. */
async function save(account: Account, form: FormData): Promise<void> {
  const fields = {
    email: readText(form, "email"),
    name: readText(form, "name"),
    username: readText(form, "username"),
    roles: readRoles(form),
    enabled: form.get("enabled") !== null,
  };
  const former: Readonly<Record<string, unknown>> = { ...account };
  const differs = ([key, value]: [string, unknown]): boolean =>
    String(value) !== String(former[key] ?? "");
  await call("PUT /users/:id", {
    params: { id: account.id },
    body: Object.fromEntries(Object.entries(fields).filter(differs)),
  });
}

function readRoles(form: FormData): string[] {
  const others = readText(form, "otherRoles").split(",");
  const all = [...form.getAll("role").map(String), ...others.map((role) => role.trim())];
  return [...new Set(all.filter((role) => role !== ""))];
}

function readText(form: FormData, name: string): string {
  const value = form.get(name);
  return typeof value === "string" ? value.trim() : "";
}

interface AccountActionsProps {
  account: Account;
  /** True for the account of the person, which cannot be deleted. */
  isOwn: boolean;
  /** Called after the change, to load again what is shown. */
  onDone(): void;
}

/** Buttons of one account: set a password, delete. */
export function AccountActions({ account, isOwn, onDone }: AccountActionsProps): VNode {
  const [asks, setAsks] = useState<"password" | "delete" | null>(null);
  const name = displayName(account);
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
      title={t("setPassword.title", { name: displayName(account) })}
      action={t("setPassword")}
      onClose={onClose}
      onSubmit={async (form) => {
        await call("PUT /users/:id/password", {
          params: { id: account.id },
          body: { password: String(form.get("password")) },
        });
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
      title={t("delete.title", { name: displayName(account) })}
      action={app("delete")}
      danger
      onClose={onClose}
      onSubmit={async () => {
        await call("DELETE /users/:id", { params: { id: account.id } });
        done(t("delete.done"));
        onDone();
      }}
    >
      <p>{t("delete.why")}</p>
    </FormDialog>
  );
}

/** Roles that open the panel. */
const ROLES = ["admin", "editor", "author"] as const;
type BuiltIn = (typeof ROLES)[number];

/** The roles that open the panel; the built-in ones while they are loaded. */
export function usePanelRoles(): readonly Role[] {
  const { data }: Loaded<{ items: readonly Role[] }> = useLoaded("roles", () => call("GET /roles"));
  return (
    data?.items ??
    ROLES.map((name) => ({ name, permissions: [], paths: null, pages: "all", builtIn: true }))
  );
}

/** A role in a list: what a built-in one does, where another one applies. */
export function roleText({ name, paths, pages }: Role): string {
  const builtIn = ROLES.find((role): role is BuiltIn => role === name);
  if (builtIn !== undefined) return t(`role.${builtIn}`);
  const shown = pages === "own" ? t("role.own", { name }) : name;
  return paths === null ? shown : t("role.paths", { name: shown, paths: paths.join(", ") });
}

interface RoleChoiceProps {
  roles: readonly string[];
}

/** Roles of an account: those of the panel, and others as text. */
function RoleChoice({ roles }: RoleChoiceProps): VNode {
  const panelRoles = usePanelRoles();
  const others = roles.filter((role) => !panelRoles.some(({ name }) => name === role));
  return (
    <fieldset class="field">
      <legend>{t("roles")}</legend>
      {panelRoles.map((role) => (
        <label key={role.name} class="inline">
          <input
            type="checkbox"
            name="role"
            value={role.name}
            defaultChecked={roles.includes(role.name)}
          />
          {roleText(role)}
        </label>
      ))}
      <label>
        {t("otherRoles")}
        <input
          key={others.join()}
          name="otherRoles"
          autocomplete="off"
          defaultValue={others.join(", ")}
        />
      </label>
    </fieldset>
  );
}
