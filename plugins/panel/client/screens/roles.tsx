import { Pencil, Plus, Trash2 } from "lucide";
import type { VNode } from "preact";
import { useState } from "preact/hooks";
import { t as app, texts } from "../app/texts.js";
import { done } from "../app/toasts.js";
import de from "../locales/de/roles.json";
import en from "../locales/en/roles.json";
import { FormDialog } from "../parts/forms.js";
import { Icon } from "../parts/icon.js";
import { Loading, useLoaded } from "../parts/loading.js";
import {
  PermissionChoices,
  PermissionList,
  PermissionTitles,
} from "../parts/permission-choices.js";
import { call, type Answer } from "../api/request.js";
import { may } from "../api/session.js";
import type { Role, SettingChange } from "../api/answers.js";

type RoleList = Answer<"GET /roles">;
type Settings = Answer<"GET /settings/:file">;

const t = texts({ en, de });

type Open = { name: "edit"; role: RoleRow | null } | { name: "delete"; role: RoleRow };
interface Loaded {
  roles: RoleList;
  /** Null: the account may not read admin.yaml. */
  settings: Settings | null;
}

/** The roles that open the panel: what they allow, and where. */
export default function RolesScreen(): VNode {
  const loaded = useLoaded("roles", load);
  const [open, setOpen] = useState<Open | null>(null);
  const mayEdit = may("config.update") && may("plugins.manage");
  return (
    <div class="screen">
      <header class="screen-head">
        <h1>{app("screen.roles")}</h1>
        {mayEdit && (
          <button
            type="button"
            class="primary"
            onClick={() => setOpen({ name: "edit", role: null })}
          >
            <Icon of={Plus} />
            {t("create")}
          </button>
        )}
        <p>{t("why")}</p>
      </header>
      <Loading of={loaded}>
        {({ roles, settings }) => (
          <>
            <p class="notice">
              {t(mayEdit ? "where" : "where.readOnly", { file: settings?.path ?? "admin.yaml" })}
            </p>
            <div class="cards">
              {roleRows(roles.items, settings === null ? undefined : readStored(settings)).map(
                (role) => (
                  <RoleCard key={role.name} role={role} mayEdit={mayEdit} onOpen={setOpen} />
                ),
              )}
            </div>
            <section class="card" aria-label={t("explained")}>
              <h2>{t("explained")}</h2>
              <PermissionList />
            </section>
            {open !== null && settings !== null && (
              <Opened open={open} settings={settings} onClose={() => setOpen(null)} {...loaded} />
            )}
          </>
        )}
      </Loading>
    </div>
  );
}

async function load(): Promise<Loaded> {
  const settings = may("config.read")
    ? call("GET /settings/:file", { params: { file: "admin" } })
    : null;
  return { roles: await call("GET /roles"), settings: await settings };
}

/** `roles` of admin.yaml; an empty map when it has none. */
function readStored({ values }: Settings): unknown {
  return values["roles"] ?? {};
}

interface OpenedProps {
  open: Open;
  settings: Settings;
  onClose(): void;
  reload(): void;
}

function Opened({ open, settings, onClose, reload }: OpenedProps): VNode {
  const shared = { settings, onClose, onDone: reload };
  if (open.name === "delete") return <DeleteRole role={open.role} {...shared} />;
  return <RoleForm role={open.role} {...shared} />;
}

interface RoleCardProps {
  role: RoleRow;
  mayEdit: boolean;
  onOpen(open: Open): void;
}

function RoleCard({ role, mayEdit, onOpen }: RoleCardProps): VNode {
  const { name, permissions, paths, pages, builtIn, pending } = role;
  return (
    <section class="card" aria-label={name}>
      <div class="row">
        <h2 class="grow">{name}</h2>
        {builtIn && <span class="badge">{t("builtIn")}</span>}
        {pending !== null && <span class="badge warn">{t(`pending.${pending}`)}</span>}
      </div>
      <h3>{t("permissions")}</h3>
      <PermissionTitles names={permissions} />
      <h3>{t("paths")}</h3>
      {paths === null ? (
        <p>{t("paths.all")}</p>
      ) : (
        <p class="tags-line">
          {paths.map((path) => (
            <code key={path}>{path}</code>
          ))}
        </p>
      )}
      {pages === "own" && (
        <>
          <h3>{t("pages")}</h3>
          <p>{t("pages.own")}</p>
        </>
      )}
      {mayEdit && !builtIn && pending !== "removed" && (
        <div class="actions">
          <button type="button" onClick={() => onOpen({ name: "edit", role })}>
            <Icon of={Pencil} />
            {t("edit", { name })}
          </button>
          <button type="button" class="danger" onClick={() => onOpen({ name: "delete", role })}>
            <Icon of={Trash2} />
            {t("delete", { name })}
          </button>
        </div>
      )}
    </section>
  );
}

interface DialogProps {
  settings: Settings;
  onClose(): void;
  onDone(): void;
}

interface RoleFormProps extends DialogProps {
  /** Null: a new role. */
  role: RoleRow | null;
}

/** Creates or changes a role of admin.yaml. */
function RoleForm({ role, settings, onClose, onDone }: RoleFormProps): VNode {
  const submit = async (form: FormData): Promise<void> => {
    await call("PATCH /settings/:file", {
      params: { file: "admin" },
      body: { changes: [toChange(form, role)] },
      ifMatch: settings.hash,
    });
    done(t("saved"));
    onDone();
  };
  return (
    <FormDialog
      title={role === null ? t("create") : t("edit", { name: role.name })}
      action={app("save")}
      onClose={onClose}
      onSubmit={submit}
    >
      {role === null && (
        <label>
          {t("name")}
          <input name="name" required maxLength={64} autocomplete="off" spellcheck={false} />
          <span class="help">{t("name.why")}</span>
        </label>
      )}
      <fieldset class="field">
        <legend>{t("permissions")}</legend>
        <p class="help">{t("permissions.own")}</p>
        <PermissionChoices chosen={role?.permissions ?? []} />
      </fieldset>
      <label>
        {t("paths")}
        <textarea
          name="paths"
          rows={3}
          spellcheck={false}
          defaultValue={role?.paths?.join("\n") ?? ""}
        />
        <span class="help">{t("paths.why")}</span>
      </label>
      <label class="inline">
        <input type="checkbox" name="own" defaultChecked={role?.pages === "own"} />
        {t("pages.own")}
      </label>
      <p class="help">{t("pages.why")}</p>
      <p class="notice warn">{t("restart", { file: settings.path })}</p>
    </FormDialog>
  );
}

/** @throws Error for a missing permission or a wrong name. */
function toChange(form: FormData, role: RoleRow | null): SettingChange {
  const name = role?.name ?? String(form.get("name")).trim();
  const permissions = form.getAll("permission").map(String);
  const lines = String(form.get("paths")).split("\n");
  const paths = lines.map((line) => line.trim()).filter((path) => path !== "");
  if (permissions.length === 0) throw new Error(t("permissions.none"));
  if (role === null && !/^[\w-]+$/.test(name)) throw new Error(t("name.wrong"));
  const limits = {
    ...(paths.length > 0 && { paths }),
    ...(form.has("own") && { pages: "own" }),
  };
  return { key: `roles.${name}`, value: { permissions, ...limits } };
}

interface DeleteRoleProps extends DialogProps {
  role: RoleRow;
}

/** Removes a role from admin.yaml. */
function DeleteRole({ role, settings, onClose, onDone }: DeleteRoleProps): VNode {
  return (
    <FormDialog
      title={t("delete.title", { name: role.name })}
      action={app("delete")}
      danger
      onClose={onClose}
      onSubmit={async () => {
        const change = { key: `roles.${role.name}`, value: null };
        await call("PATCH /settings/:file", {
          params: { file: "admin" },
          body: { changes: [change] },
          ifMatch: settings.hash,
        });
        done(t("deleted"));
        onDone();
      }}
    >
      <p>{t("delete.why")}</p>
      <p class="notice warn">{t("restart", { file: settings.path })}</p>
    </FormDialog>
  );
}

/** A role as the server uses it, or as the file has it. */
interface RoleRow extends Role {
  /** The effect that a restart of the server has on it; null: none, the file says the same. */
  readonly pending: "added" | "changed" | "removed" | null;
}

/** The running roles beside those of `roles` in admin.yaml; the file wins. Without the file: the running ones. */
function roleRows(running: readonly Role[], file: unknown): readonly RoleRow[] {
  if (file === undefined) return running.map((role) => ({ ...role, pending: null }));
  const stored = storedRoles(file);
  const rows = running.map((role): RoleRow => {
    if (role.builtIn) return { ...role, pending: null };
    const next = stored.find(({ name }) => name === role.name);
    if (next === undefined) return { ...role, pending: "removed" };
    return { ...next, pending: isSame(role, next) ? null : "changed" };
  });
  const isNew = ({ name }: Role): boolean => running.every((role) => role.name !== name);
  return [...rows, ...stored.filter(isNew).map((role) => ({ ...role, pending: "added" as const }))];
}

function storedRoles(file: unknown): Role[] {
  if (typeof file !== "object" || file === null) return [];
  return Object.entries(file).map(([name, value]: [string, unknown]) => {
    const stored: { permissions?: unknown; paths?: unknown; pages?: unknown } = {
      ...toObject(value),
    };
    return {
      name,
      permissions: toTexts(stored.permissions),
      paths: Array.isArray(stored.paths) ? stored.paths.map(String) : null,
      pages: stored.pages === "own" ? "own" : "all",
      builtIn: false,
    };
  });
}

function toObject(value: unknown): object {
  return typeof value === "object" && value !== null ? value : {};
}

function toTexts(value: unknown): string[] {
  return Array.isArray(value) ? value.map(String) : [];
}

function isSame(one: Role, other: Role): boolean {
  const plain = ({ permissions, paths, pages }: Role): string =>
    JSON.stringify([permissions.toSorted(), paths?.toSorted() ?? null, pages]);
  return plain(one) === plain(other);
}
