import type { VNode } from "preact";
import { changeSettings, type SettingChange, type Settings } from "../../api/settings/settings.js";
import { t as app } from "../../app/app-texts.js";
import { done } from "../../app/toasts.js";
import { FormDialog } from "../../parts/form-dialog.js";
import { PermissionChoices } from "../../parts/permission-choices.js";
import type { RoleRow } from "./role-rows.js";
import { t } from "./roles-texts.js";

interface DialogProps {
  settings: Settings;
  onClose(): void;
  onDone(): void;
}

/** Creates or changes a role of admin.yaml. */
export function RoleForm(props: DialogProps & { role: RoleRow | null }): VNode {
  const { role, settings, onClose, onDone } = props;
  const submit = async (form: FormData): Promise<void> => {
    await changeSettings("admin", [changeOf(form, role)], settings.hash);
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
      <p class="notice warn">{t("restart", { file: settings.path })}</p>
    </FormDialog>
  );
}

/** @throws Error for a missing permission or a wrong name. */
function changeOf(form: FormData, role: RoleRow | null): SettingChange {
  const name = role?.name ?? String(form.get("name")).trim();
  const permissions = form.getAll("permission").map(String);
  const lines = String(form.get("paths")).split("\n");
  const paths = lines.map((line) => line.trim()).filter((path) => path !== "");
  if (permissions.length === 0) throw new Error(t("permissions.none"));
  if (role === null && !/^[\w-]+$/.test(name)) throw new Error(t("name.wrong"));
  return { key: `roles.${name}`, value: { permissions, ...(paths.length > 0 && { paths }) } };
}

/** Removes a role from admin.yaml. */
export function DeleteRole(props: DialogProps & { role: RoleRow }): VNode {
  const { role, settings, onClose, onDone } = props;
  return (
    <FormDialog
      title={t("delete.title", { name: role.name })}
      action={app("delete")}
      danger
      onClose={onClose}
      onSubmit={async () => {
        const change = { key: `roles.${role.name}`, value: null };
        await changeSettings("admin", [change], settings.hash);
        done(t("deleted"));
        onDone();
      }}
    >
      <p>{t("delete.why")}</p>
      <p class="notice warn">{t("restart", { file: settings.path })}</p>
    </FormDialog>
  );
}
