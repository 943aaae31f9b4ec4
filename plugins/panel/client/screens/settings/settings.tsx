import type { VNode } from "preact";
import { href, setQuery, type ScreenProps } from "../../app/router.js";
import { texts } from "../../app/texts.js";
import de from "../../locales/de/settings.json";
import en from "../../locales/en/settings.json";
import { Loading, useLoaded } from "../../parts/loading.js";
import { settingText } from "./setting-texts.js";
import { SettingsForm } from "./settings-form.js";
import { call, type Answer, type Item } from "../../api/request.js";
import { may } from "../../api/session.js";
import type { JsonSchema, SettingsFile } from "../../api/answers.js";

type PluginList = Answer<"GET /settings/plugins">;
type PluginSettings = Item<"GET /settings/plugins">;

/** Keys that have a screen of their own. */
const SCREENS: Readonly<Record<string, string>> = { redirects: "/redirects" };
const FILES: readonly SettingsFile[] = ["site", "system", "admin"];
const t = texts({ en, de });

const SECTIONS = ["site", "system", "admin", "plugins"] as const;

/** Forms of the configuration files and of plugins, described by their schemas. */
export default function SettingsScreen({ params, query }: ScreenProps): VNode {
  const section = SECTIONS.find((one) => one === params["section"]) ?? "site";
  return (
    <div class="screen">
      <header class="screen-head">
        <h1>{t("title")}</h1>
      </header>
      <nav class="row" aria-label={t("files")}>
        {SECTIONS.map((one) => (
          <a
            key={one}
            class="button"
            href={href(`/settings/${one}`)}
            data-screen
            aria-current={one === section ? "page" : undefined}
          >
            {t(one)}
          </a>
        ))}
      </nav>
      {!may("config.update") && <p class="notice">{t("readOnly")}</p>}
      {section === "plugins" ? (
        <PluginSettingsPart name={query.get("plugin") ?? ""} linked={query.get("setting") ?? ""} />
      ) : (
        <FileSettings key={section} file={section} linked={query.get("setting") ?? ""} />
      )}
    </div>
  );
}

interface FileSettingsProps {
  file: SettingsFile;
  /** Absent: all keys of the file. */
  keys?: readonly string[];
  /** The setting that the address names. */
  linked: string;
}

/** The form of a configuration file, or of some of its keys. */
function FileSettings({ file, keys, linked }: FileSettingsProps): VNode {
  const settings = useLoaded(file, () => call("GET /settings/:file", { params: { file } }));
  return (
    <Loading of={settings}>
      {(loaded) => {
        const { path, schema, hash } = loaded;
        const inFile = Object.keys(schema.properties ?? {});
        const names = keys === undefined ? inFile : inFile.filter((name) => keys.includes(name));
        const elsewhere = names.filter((name) => SCREENS[name] !== undefined);
        const fileNames = names.filter((name) => SCREENS[name] === undefined);
        return (
          <>
            <p class="dim">{t("where", { path })}</p>
            <Elsewhere names={elsewhere} />
            <SettingsForm
              key={loaded.file}
              linked={linked}
              of={{
                ...loaded,
                schema: withProperties(schema, fileNames),
                permission: "config.update",
              }}
              onSave={(changes) =>
                call("PATCH /settings/:file", {
                  params: { file },
                  body: { changes },
                  ifMatch: hash,
                })
              }
              onReload={settings.reload}
            />
          </>
        );
      }}
    </Loading>
  );
}

interface ElsewhereProps {
  /** Keys that have a screen of their own. */
  names: readonly string[];
}

/** Links to the screens of keys that the form leaves out. */
function Elsewhere({ names }: ElsewhereProps): VNode | null {
  if (names.length === 0) return null;
  return (
    <p>
      {names.map((name) => (
        <a key={name} href={href(SCREENS[name] ?? "")} data-screen>
          {t("elsewhere", { name: settingText(name, {}).title })}
        </a>
      ))}
    </p>
  );
}

/** A schema with the named properties alone. */
function withProperties(schema: JsonSchema, names: readonly string[]): JsonSchema {
  const shown = Object.entries(schema.properties ?? {}).filter(([name]) => names.includes(name));
  return { ...schema, properties: Object.fromEntries(shown) };
}

interface PluginSettingsPartProps {
  /** The plugin to show; an unknown name: the first one. */
  name: string;
  /** The setting that the address names. */
  linked: string;
}

/** The settings of one plugin, chosen from all that have some. */
function PluginSettingsPart({ name, linked }: PluginSettingsPartProps): VNode {
  const plugins = useLoaded("plugins", () => call("GET /settings/plugins"));
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
              <One
                key={chosen.name}
                of={chosen}
                list={loaded}
                linked={linked}
                onReload={plugins.reload}
              />
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
  /** The setting that the address names. */
  linked: string;
  onReload(): void;
}

function One({ of, list, linked, onReload }: OneProps): VNode {
  return (
    <>
      {of.state === "failed" && <p class="notice bad">{t("plugin.failed", { name: of.name })}</p>}
      {FILES.filter((file) => of.keys[file].length > 0).map((file) => (
        <FileSettings key={file} file={file} keys={of.keys[file]} linked={linked} />
      ))}
      <Block of={of} list={list} linked={linked} onReload={onReload} />
    </>
  );
}

/** The `config:` block. */
function Block({ of, list, linked, onReload }: OneProps): VNode | null {
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
        linked={linked}
        of={{ values, schema, at, permission: "plugins.manage", plugin: name }}
        onSave={(changes) =>
          call("PATCH /settings/plugins/:name", {
            params: { name },
            body: { changes },
            ifMatch: list.hash,
          })
        }
        onReload={onReload}
      />
    </>
  );
}
