import type { VNode } from "preact";
import {
  changeSettings,
  readSettings,
  type JsonSchema,
  type Settings,
  type SettingsFile,
} from "../../api/settings/settings.js";
import { href } from "../../app/router.js";
import { Loading } from "../../parts/loading.js";
import { useLoaded } from "../../parts/use-loaded.js";
import { SettingsForm } from "./settings-form.js";
import { t } from "./settings-texts.js";

/** Keys that have a screen of their own. */
const SCREENS: Readonly<Record<string, string>> = { redirects: "/redirects" };

/** The form of a configuration file, or of some of its keys. */
export function FileSettings(props: { file: SettingsFile; keys?: readonly string[] }): VNode {
  const { file, keys } = props;
  const settings = useLoaded(file, () => readSettings(file));
  return (
    <Loading of={settings}>
      {(loaded) => (
        <>
          <p class="dim">{t("where", { path: loaded.path })}</p>
          <Elsewhere schema={loaded.schema} keys={keys} />
          <SettingsForm
            key={loaded.file}
            of={{ ...loaded, schema: withKeys(loaded, keys), permission: "config.update" }}
            onSave={(changes) => changeSettings(file, changes, loaded.hash)}
            onReload={settings.reload}
          />
        </>
      )}
    </Loading>
  );
}

/** Links to the screens of keys that the form leaves out. */
function Elsewhere(props: {
  schema: JsonSchema;
  keys: readonly string[] | undefined;
}): VNode | null {
  const names = Object.keys(props.schema.properties ?? {}).filter(
    (name) => SCREENS[name] !== undefined && props.keys?.includes(name) !== false,
  );
  if (names.length === 0) return null;
  return (
    <p>
      {names.map((name) => (
        <a key={name} href={href(SCREENS[name] ?? "")} data-screen>
          {t("elsewhere", { key: name })}
        </a>
      ))}
    </p>
  );
}

function withKeys({ schema }: Settings, keys: readonly string[] | undefined): JsonSchema {
  const all = Object.entries(schema.properties ?? {});
  const shown = all.filter(
    ([name]) => SCREENS[name] === undefined && keys?.includes(name) !== false,
  );
  return { ...schema, properties: Object.fromEntries(shown) };
}
