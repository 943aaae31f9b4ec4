import type { Request } from "express";
import { z } from "zod";
import { HttpError } from "#kernel";
import { configValues, setConfigKeys, type ConfigFile, type ConfigText } from "#kernel/internal";
import { holdsMask, withoutSecrets } from "../../write/secret-values.js";
import { changeConfig } from "../../write/settings-gate.js";
import { answers } from "../answers.js";
import { pluginSettingsRoutes } from "./plugin-settings.js";
import { ifMatch, note, notFound, type RouteParts } from "../route-parts.js";
import { changesBody, MASKED, SETTINGS_BYTES } from "./settings-body.js";

const textBody = z.object({ content: z.string() });

/**
 * The configuration files: read with masked secrets, written with comments and key order preserved.
 */
export function settingsRoutes(parts: RouteParts): void {
  pluginSettingsRoutes(parts);
  const { admin, site } = parts;
  admin.route({
    method: "get",
    path: "/settings/:file",
    permission: "config.read",
    summary:
      "Keys of site, system or admin as written in the file, with masked secrets, and the schema",
    responses: answers.settings,
    handler: async (req, res, { params }) => {
      const file = fileOf(params);
      const read = await site.configFiles.read(file);
      const headers = { ETag: `"${read.hash}"` };
      const schema = site.configFiles.schema(file);
      await site.http.json(req, res, { ...view(parts, file, read), schema }, { headers });
    },
  });
  admin.route({
    method: "patch",
    path: "/settings/:file",
    permission: "config.update",
    summary: "Set keys; rejected as a whole when the result would be invalid",
    responses: answers.settingsChange,
    body: { as: "json", limit: SETTINGS_BYTES, schema: changesBody },
    handler: async (req, res, { params, body, identity }) => {
      const file = fileOf(params);
      if (holdsMask(body.changes)) throw new HttpError(400, MASKED);
      const next = (before: string): string => setConfigKeys(file, before, body.changes);
      const after = await changeConfig(site, { file, identity, next }, hashOf(req));
      const keys = body.changes.map(({ key }) => key).join(" ");
      note(parts, req, {
        event: "config.update",
        actor: identity,
        target: { type: "config", id: file },
        detail: { keys },
      });
      await site.http.json(req, res, { ...view(parts, file, after), restart: true });
    },
  });
  addReplace(parts);
}

function addReplace(parts: RouteParts): void {
  const { admin, site } = parts;
  admin.route({
    method: "put",
    path: "/settings/:file",
    permission: "config.update",
    summary: "Replace a file's text; rejected when it would be invalid",
    responses: answers.settingsChange,
    body: { as: "json", limit: SETTINGS_BYTES, schema: textBody },
    handler: async (req, res, { params, body, identity }) => {
      const file = fileOf(params);
      if (holdsMask(body.content)) throw new HttpError(400, MASKED);
      const next = (): string => body.content;
      const after = await changeConfig(site, { file, identity, next }, hashOf(req));
      note(parts, req, {
        event: "config.update",
        actor: identity,
        target: { type: "config", id: file },
        detail: { keys: "(the whole file)" },
      });
      await site.http.json(req, res, { ...view(parts, file, after), restart: true });
    },
  });
}

function fileOf(params: Record<string, string>): ConfigFile {
  const file = params["file"]?.replace(/\.yaml$/, "");
  if (file === "site" || file === "system" || file === "admin") return file;
  throw notFound();
}

function view(
  { site }: RouteParts,
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
