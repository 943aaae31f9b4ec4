import { Pencil, Plus, Trash2 } from "lucide";
import type { VNode } from "preact";
import { useState } from "preact/hooks";
import { listRoles, type Roles as RoleList } from "../../api/accounts/roles.js";
import { may } from "../../api/session.js";
import { readSettings, type Settings } from "../../api/settings/settings.js";
import { t as app } from "../../app/app-texts.js";
import { Icon } from "../../parts/icon.js";
import { Loading } from "../../parts/loading.js";
import { PermissionList } from "../../parts/permission-choices.js";
import { useLoaded } from "../../parts/use-loaded.js";
import { DeleteRole, RoleForm } from "./role-form.js";
import { roleRows, type RoleRow } from "./role-rows.js";
import { t } from "./roles-texts.js";

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
              {roleRows(roles.items, settings === null ? undefined : storedIn(settings)).map(
                (role) => (
                  <RoleCard key={role.name} {...{ role, mayEdit }} onOpen={setOpen} />
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
  const settings = may("config.read") ? readSettings("admin") : null;
  return { roles: await listRoles(), settings: await settings };
}

/** `roles` of admin.yaml; an empty map when it has none. */
function storedIn({ values }: Settings): unknown {
  return values["roles"] ?? {};
}

function Opened(props: { open: Open; settings: Settings; onClose(): void; reload(): void }): VNode {
  const { open, settings, onClose, reload } = props;
  const shared = { settings, onClose, onDone: reload };
  if (open.name === "delete") return <DeleteRole role={open.role} {...shared} />;
  return <RoleForm role={open.role} {...shared} />;
}

function RoleCard(props: { role: RoleRow; mayEdit: boolean; onOpen(open: Open): void }): VNode {
  const { role, mayEdit, onOpen } = props;
  const { name, permissions, paths, builtIn, pending } = role;
  return (
    <section class="card" aria-label={name}>
      <div class="row">
        <h2 class="grow">{name}</h2>
        {builtIn && <span class="badge">{t("builtIn")}</span>}
        {pending !== null && <span class="badge warn">{t(`pending.${pending}`)}</span>}
      </div>
      <h3>{t("permissions")}</h3>
      <p class="tags-line">
        {permissions.map((permission) => (
          <code key={permission}>{permission}</code>
        ))}
      </p>
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
