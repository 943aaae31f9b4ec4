import type { VNode } from "preact";
import { Loading, useLoaded } from "./loading.js";
import { call, type Item } from "../api/request.js";
import { language } from "../app/texts.js";

type PermissionText = Item<"GET /permissions">;

let loading: Promise<readonly PermissionText[]> | null = null;

/** The permissions with their texts, loaded once; a failure is not kept. */
function permissionTexts(): Promise<readonly PermissionText[]> {
  loading ??= call("GET /permissions", { query: { lang: language } }).then(({ items }) => items);
  loading.catch(() => {
    loading = null;
  });
  return loading;
}

interface ChoicesProps {
  /** The permissions that are chosen at first. */
  chosen: readonly string[];
}

/** Check boxes named `permission`, each with what it allows. No account gives more rights than it has. */
export function PermissionChoices({ chosen }: ChoicesProps): VNode {
  const permissions = useLoaded("permissions", permissionTexts);
  return (
    <Loading of={permissions}>
      {(all) => (
        <div class="choices explained">
          {all
            .filter(({ name, own }) => own || chosen.includes(name))
            .map((one) => (
              <label key={one.name} class="inline">
                <input
                  type="checkbox"
                  name="permission"
                  value={one.name}
                  defaultChecked={chosen.includes(one.name)}
                />
                <PermissionName of={one} />
              </label>
            ))}
        </div>
      )}
    </Loading>
  );
}

/** Every permission with what it allows. */
export function PermissionList(): VNode {
  const permissions = useLoaded("permissions", permissionTexts);
  return (
    <Loading of={permissions}>
      {(all) => (
        <ul class="choices explained">
          {all.map((one) => (
            <li key={one.name}>
              <PermissionName of={one} />
            </li>
          ))}
        </ul>
      )}
    </Loading>
  );
}

interface PermissionTitlesProps {
  names: readonly string[];
}

/** Permissions in words, each with its sentence as tooltip. */
export function PermissionTitles({ names }: PermissionTitlesProps): VNode {
  const permissions = useLoaded("permissions", permissionTexts);
  return (
    <Loading of={permissions}>
      {(all) => (
        <ul class="tags-line">
          {names.map((name) => {
            const found = all.find((one) => one.name === name);
            return (
              <li key={name} class="badge" title={found?.description}>
                {found?.title ?? name}
              </li>
            );
          })}
        </ul>
      )}
    </Loading>
  );
}

interface PermissionNameProps {
  of: PermissionText;
}

function PermissionName({ of }: PermissionNameProps): VNode {
  return (
    <span>
      {of.title}
      <span class="help block">{of.description}</span>
    </span>
  );
}
