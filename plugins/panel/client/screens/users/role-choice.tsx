import type { VNode } from "preact";
import { ROLES } from "../../api/accounts/accounts.js";
import { listRoles, type Role } from "../../api/accounts/roles.js";
import { useLoaded, type Loaded } from "../../parts/use-loaded.js";
import { t } from "./users-texts.js";

type BuiltIn = (typeof ROLES)[number];

/** The roles that open the panel; the built-in ones while they are loaded. */
export function usePanelRoles(): readonly Role[] {
  const { data }: Loaded<{ items: readonly Role[] }> = useLoaded("roles", listRoles);
  return (
    data?.items ?? ROLES.map((name) => ({ name, permissions: [], paths: null, builtIn: true }))
  );
}

/** A role in a list: what a built-in one does, where another one applies. */
export function roleText({ name, paths }: Role): string {
  const builtIn = ROLES.find((role): role is BuiltIn => role === name);
  if (builtIn !== undefined) return t(`role.${builtIn}`);
  return paths === null ? name : t("role.paths", { name, paths: paths.join(", ") });
}

/** Roles of an account: those of the panel, and others as text. */
export function RoleChoice({ roles }: { roles: readonly string[] }): VNode {
  const known = usePanelRoles();
  const others = roles.filter((role) => !known.some(({ name }) => name === role));
  return (
    <fieldset class="field">
      <legend>{t("roles")}</legend>
      {known.map((role) => (
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
