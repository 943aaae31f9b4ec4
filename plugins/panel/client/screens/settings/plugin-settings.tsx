import type { VNode } from "preact";
import {
  changePluginSettings,
  listPluginSettings,
  type PluginList,
  type PluginSettings,
  type SettingsFile,
} from "../../api/settings/settings.js";
import { setQuery } from "../../app/router.js";
import { Loading } from "../../parts/loading.js";
import { useLoaded } from "../../parts/use-loaded.js";
import { FileSettings } from "./file-settings.js";
import { SettingsForm } from "./settings-form.js";
import { t } from "./settings-texts.js";

const FILES: readonly SettingsFile[] = ["site", "system", "admin"];

/** The settings of one plugin, chosen from all that have some. */
export function PluginSettingsPart({ name }: { name: string }): VNode {
  const plugins = useLoaded("plugins", listPluginSettings);
  return (
    <Loading of={plugins}>
      {(loaded) => {
        const items = loaded.items.filter(hasSettings);
        const chosen = items.find((one) => one.name === name) ?? items[0];
        return (
          <>
            <label class="field">
              {t("plugin")}
              <select
                value={chosen?.name}
                onChange={(event) => setQuery({ plugin: event.currentTarget.value })}
              >
                {items.map((one) => (
                  <option key={one.name} value={one.name}>
                    {one.name}
                  </option>
                ))}
              </select>
            </label>
            {chosen !== undefined && (
              <One key={chosen.name} of={chosen} list={loaded} onReload={plugins.reload} />
            )}
          </>
        );
      }}
    </Loading>
  );
}

function hasSettings({ schema, values, keys }: PluginSettings): boolean {
  const hasBlock = schema !== null || Object.keys(values).length > 0;
  return hasBlock || FILES.some((file) => keys[file].length > 0);
}

interface OneProps {
  of: PluginSettings;
  list: PluginList;
  onReload(): void;
}

function One({ of, list, onReload }: OneProps): VNode {
  return (
    <>
      {of.state === "failed" && <p class="notice bad">{t("plugin.failed", { name: of.name })}</p>}
      {FILES.filter((file) => of.keys[file].length > 0).map((file) => (
        <FileSettings key={file} file={file} keys={of.keys[file]} />
      ))}
      <Block {...{ of, list, onReload }} />
    </>
  );
}

/** The `config:` block. */
function Block({ of, list, onReload }: OneProps): VNode | null {
  const { name, at, schema, values } = of;
  if (schema === null) {
    return Object.keys(values).length === 0 ? null : (
      <p class="notice">{t("plugin.noSchema", { at: at ?? "", path: list.path })}</p>
    );
  }
  if (at === null) return <p class="notice">{t("plugin.noEntry", { name, path: list.path })}</p>;
  return (
    <>
      <p class="dim">{t("plugin.where", { at, path: list.path })}</p>
      <SettingsForm
        of={{ values, schema, at, permission: "plugins.manage" }}
        onSave={(changes) => changePluginSettings(name, changes, list.hash)}
        onReload={onReload}
      />
    </>
  );
}
