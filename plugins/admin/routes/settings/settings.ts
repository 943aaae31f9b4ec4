import type { Request } from "express";
import { HttpError, isRecord, setConfigKeys, type ConfigFile, type ConfigText } from "#kernel";
import { configValues } from "#lib/yaml";
import { restoreSecrets, MASKED } from "../../write/restored-secrets.js";
import { holdsMask, withoutSecrets, changeConfig } from "../../write/settings-gate.js";
import { ifMatch, note, notFound, type AdminContext, selected } from "../admin-context.js";
import { toFormFields } from "../pages/page-types.js";
import { settingsApi } from "../../schemas/settings.js";

/**
 * The configuration files: read with masked secrets, written with comments and key order preserved.
 */
export function settingsRoutes(context: AdminContext): void {
  pluginSettingsRoutes(context);
  const { admin, site } = context;
  admin.route({
    method: "get",
    path: "/settings/:file",
    permission: "config.read",
    summary:
      "Keys of site, system or admin as written in the file, with masked secrets, and the schema",
    responses: settingsApi["GET /settings/:file"].responses,
    handler: async (req, res, { params }) => {
      const file = readConfigFile(params);
      const read = await site.configFiles.read(file);
      const headers = { ETag: `"${read.hash}"` };
      const schema = site.configFiles.schema(file);
      await site.http.json(req, res, { ...view(context, file, read), schema }, { headers });
    },
  });
  admin.route({
    method: "patch",
    path: "/settings/:file",
    permission: "config.update",
    summary: "Set keys; rejected as a whole when the result would be invalid",
    responses: settingsApi["PATCH /settings/:file"].responses,
    body: { as: "json", limit: SETTINGS_BYTES, schema: settingsApi["PATCH /settings/:file"].body },
    handler: async (req, res, { params, body, identity }) => {
      const file = readConfigFile(params);
      const schema = site.configFiles.schema(file);
      const next = (before: string): string =>
        setConfigKeys(
          file,
          before,
          restoreSecrets(body.changes, { values: configValues(before), schema }),
        );
      const after = await changeConfig(site, { file, identity, next }, hashOf(req));
      const keys = body.changes.map(({ key }) => key).join(" ");
      note(context, req, {
        event: "config.update",
        actor: identity,
        target: { type: "config", id: file },
        detail: { keys },
      });
      await site.http.json(req, res, { ...view(context, file, after), restart: true });
    },
  });
  addReplace(context);
}

function addReplace(context: AdminContext): void {
  const { admin, site } = context;
  admin.route({
    method: "put",
    path: "/settings/:file",
    permission: "config.update",
    summary: "Replace a file's text; rejected when it would be invalid",
    responses: settingsApi["PUT /settings/:file"].responses,
    body: { as: "json", limit: SETTINGS_BYTES, schema: settingsApi["PUT /settings/:file"].body },
    handler: async (req, res, { params, body, identity }) => {
      const file = readConfigFile(params);
      if (holdsMask(body.content)) throw new HttpError(400, MASKED);
      const next = (): string => body.content;
      const after = await changeConfig(site, { file, identity, next }, hashOf(req));
      note(context, req, {
        event: "config.update",
        actor: identity,
        target: { type: "config", id: file },
        detail: { keys: "(the whole file)" },
      });
      await site.http.json(req, res, { ...view(context, file, after), restart: true });
    },
  });
}

function readConfigFile(params: Record<string, string>): ConfigFile {
  const file = params["file"]?.replace(/\.yaml$/, "");
  if (file === "site" || file === "system" || file === "admin") return file;
  throw notFound();
}

function view(
  { site }: AdminContext,
  file: ConfigFile,
  { path, exists, text, hash }: ConfigText,
): Record<string, unknown> {
  const values = exists ? configValues(text) : {};
  return {
    file,
    path,
    exists,
    hash,
    values: withoutSecrets(values, site.configFiles.schema(file)),
  };
}

function hashOf(req: Request): { ifHash?: string } {
  const ifHash = ifMatch(req);
  return ifHash === undefined ? {} : { ifHash };
}

/** An entry of `plugins:`: its place, and its block. */
interface Entry {
  /** `plugins.shop` or `plugins.0`. */
  readonly key: string;
  /** The key by which problems name it: `plugins.shop` or `plugins[0]`. */
  readonly shown: string;
  readonly config: Readonly<Record<string, unknown>>;
}

/** Settings by plugin: the keys that each has in the files, and its `config:` block. */
function pluginSettingsRoutes(context: AdminContext): void {
  const { admin, site } = context;
  admin.route({
    method: "get",
    path: "/settings/plugins",
    permission: "config.read",
    summary: "Every plugin with its keys in the files, and its `config:` block with the schema",
    responses: settingsApi["GET /settings/plugins"].responses,
    handler: async (req, res) => {
      const { text: yaml, path, hash } = await site.configFiles.read("site");
      const items = site.runtime.plugins().map((plugin) => {
        const { name, version, state, src } = plugin;
        const entry = findEntry(yaml, name, src);
        return {
          name,
          version,
          state,
          src,
          schema: plugin.configSchema(),
          keys: {
            site: plugin.settingKeys("site"),
            system: plugin.settingKeys("system"),
            admin: plugin.settingKeys("admin"),
          },
          at: entry === null ? null : `${entry.shown}.config`,
          values: withoutSecrets(entry?.config ?? {}, plugin.configSchema()),
        };
      });
      const headers = { ETag: `"${hash}"` };
      await site.http.json(req, res, { items, total: items.length, path, hash }, { headers });
    },
  });
  addChange(context);
}

function addChange(context: AdminContext): void {
  const { admin, site } = context;
  admin.route({
    method: "patch",
    path: "/settings/plugins/:name",
    permission: "plugins.manage",
    summary: "Set keys of a plugin's `config:` block; rejected when the result would be invalid",
    responses: settingsApi["PATCH /settings/plugins/:name"].responses,
    body: {
      as: "json",
      limit: SETTINGS_BYTES,
      schema: settingsApi["PATCH /settings/plugins/:name"].body,
    },
    handler: async (req, res, { params, body: { changes }, identity }) => {
      const plugin = site.runtime.plugins().find(({ name }) => name === params["name"]);
      if (plugin === undefined) throw notFound();
      const schema = plugin.configSchema();
      const next = (yaml: string): string => {
        const entry = findEntry(yaml, plugin.name, plugin.src);
        if (entry === null) throw notFound(`site.yaml has no entry for ${plugin.name}`);
        const restored = restoreSecrets(changes, { values: entry.config, schema });
        const all = restored.map(({ key, value }) => ({
          key: `${entry.key}.config.${key}`,
          value,
        }));
        return setConfigKeys("site", yaml, all);
      };
      const ifHash = ifMatch(req);
      const options = ifHash === undefined ? {} : { ifHash };
      const edit = { file: "site", identity, next } as const;
      const { text: after, hash } = await changeConfig(site, edit, options);
      note(context, req, {
        event: "config.update",
        actor: identity,
        target: { type: "plugin", id: plugin.name },
        detail: { keys: changes.map(({ key }) => key).join(" ") },
      });
      const written = findEntry(after, plugin.name, plugin.src)?.config ?? {};
      const values = withoutSecrets(written, plugin.configSchema());
      await site.http.json(req, res, { name: plugin.name, values, hash, restart: true });
    },
  });
}

/** The entry of a plugin, by its name or its source; null without one. */
function findEntry(yaml: string, name: string, src: string | null): Entry | null {
  const { plugins } = configValues(yaml);
  const isList = Array.isArray(plugins);
  const all = isList ? [...plugins.entries()] : Object.entries(isRecord(plugins) ? plugins : {});
  const match = all.find(([key, value]: [string | number, unknown]) => {
    if (key === name) return true;
    return isRecord(value) && (value["name"] === name || (src !== null && value["src"] === src));
  });
  if (match === undefined) return null;
  const [key, value] = match;
  const config: unknown = isRecord(value) ? value["config"] : undefined;
  return {
    key: `plugins.${key}`,
    shown: isList ? `plugins[${key}]` : `plugins.${key}`,
    config: isRecord(config) ? config : {},
  };
}

/** Maximum size of a change of settings, in bytes. */
const SETTINGS_BYTES = 2 * 1_048_576;
/** Below `{admin.path}`: files of a theme that is not the active one, for its previews. */
export const THEME_FILES = "/theme-files";

/** Installed themes, and the files that a preview of one needs. They are chosen and set with `PATCH /settings/site`. */
export function themeRoutes({ admin, site }: AdminContext): void {
  admin.route({
    method: "get",
    path: "/themes",
    permission: "config.read",
    summary: "Themes that can be chosen, with their settings",
    responses: settingsApi["GET /themes"].responses,
    handler: async (req, res) => {
      const render = selected(site.use("render", { optional: true }), "render");
      const { runtime, settings } = site;
      const moment = { now: runtime.clock.now(), timezone: settings.system.timezone };
      const items = (await render.installed()).map((theme) => ({
        ...theme,
        fields: toFormFields(theme.fields, moment),
      }));
      const home = site.use("content").view().page("/")?.sourcePath ?? null;
      const { theme: active } = render;
      await site.http.json(req, res, { items, total: items.length, active, home });
    },
  });
  admin.panel({
    method: "get",
    path: `${THEME_FILES}/:theme/static/*path`,
    permission: "config.update",
    summary: "A file of the theme that a preview shows",
    handler: (req, res, { params }) => {
      const { theme = "", path = "" } = params;
      const file = site.use("render", { optional: true })?.triedFile(theme, path) ?? null;
      if (file === null) throw notFound();
      site.http.send(req, res, { type: file.type, body: file.body, cache: { private: true } });
    },
  });
}
