import assert from "node:assert/strict";
import { readdirSync } from "node:fs";
import { join } from "node:path";
import { isRecord } from "#kernel";
import { PERMISSIONS } from "../../../plugins/admin/accounts/permissions.js";
import {
  catalogText,
  type SettingText,
} from "../../../plugins/panel/client/screens/settings/setting-catalog.js";
import { settings as webhookSettings } from "../../../plugins/webhooks/settings.js";
import { filesOf, repository, textOf } from "../../support/repository.js";
import { useAdmin } from "../../support/sites/use-site.js";

const CLIENT = "plugins/panel/client";
const LANGUAGES = ["en", "de"] as const;

/** A key of a configuration file or of a plugin's block. */
interface Key {
  readonly key: string;
  /** Empty for a file. */
  readonly plugin: string;
  readonly description: unknown;
}

describe("the words of the panel", () => {
  const plugins = readdirSync(join(repository, "plugins"), { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map(({ name }) => name);
  const site = useAdmin({ plugins });
  const admin = site.user("admin");
  const texts = (language: string, name: string): Record<string, unknown> =>
    JSON.parse(textOf(`${CLIENT}/locales/${language}/${name}.json`)) as Record<string, unknown>;

  it("explain every permission in every language", async () => {
    for (const language of LANGUAGES) {
      const { items } = await admin.json(200, "GET", `/admin/api/permissions?lang=${language}`);
      assert.deepEqual(
        items.map(({ name }: { name: string }) => name),
        PERMISSIONS,
      );
      for (const { name, title, description } of items) {
        assert.ok(title !== "" && title !== name, `${language}: ${name}`);
        assert.match(description, /\.$/, `${language}: ${name}`);
      }
    }
  });

  it("explain every setting of the built-in plugins in every language", async () => {
    const keys = await settingKeys();
    assert.ok(keys.length > 250, `${keys.length} keys`);
    for (const language of LANGUAGES) {
      const file = textOf(`${CLIENT}/screens/settings/texts/${language}.json`);
      const all = JSON.parse(file) as Record<string, SettingText>;
      const catalog = new Map(Object.entries(all));
      const used = new Set<SettingText>();
      const missing = keys.filter(({ key, plugin, description }) => {
        const found = catalogText(catalog, key, plugin);
        if (found !== undefined) used.add(found);
        const sentence = language === "en" ? description : found?.description;
        return !found?.title || typeof sentence !== "string" || sentence === "";
      });
      assert.deepEqual(missing, [], language);
      const unused = [...catalog].filter(([, text]) => !used.has(text)).map(([key]) => key);
      assert.deepEqual(unused, [], language);
    }
  });

  it("name the events that webhooks send, and those of the audit log", () => {
    const { events } = webhookSettings.admin.shape.webhooks.unwrap().element.shape;
    const sent: readonly string[] = events.element.options;
    const audited = auditEvents();
    assert.ok(audited.length > 60, audited.join(" "));
    const all = [...sent, ...audited];
    const expected = all.flatMap((event) => [event, `${event}.help`]).toSorted();
    for (const language of LANGUAGES) {
      assert.deepEqual(Object.keys(texts(language, "events")).toSorted(), expected, language);
    }
  });

  /** The keys of all files, and of the blocks of all plugins; sections are keys too. */
  async function settingKeys(): Promise<Key[]> {
    const files = ["site", "system", "admin"].map(async (file) => {
      const { schema } = await admin.json(200, "GET", `/admin/api/settings/${file}`);
      return keysOf(schema);
    });
    const { items } = await admin.json(200, "GET", "/admin/api/settings/plugins");
    const blocks = items.flatMap(({ name, schema }: { name: string; schema: unknown }) =>
      keysOf(schema).map((key) => ({ ...key, plugin: name })),
    );
    return [...(await Promise.all(files)).flat(), ...blocks];
  }
});

function keysOf(schema: unknown, prefix = ""): Key[] {
  const properties = isRecord(schema) ? schema["properties"] : null;
  if (!isRecord(properties)) return [];
  return Object.entries(properties).flatMap(([name, inner]) => {
    const key = `${prefix}${name}`;
    const description = isRecord(inner) ? inner["description"] : undefined;
    return [{ key, plugin: "", description }, ...keysOf(inner, `${key}.`)];
  });
}

/** The events that the sources of the plugins write to the audit log. */
function auditEvents(): string[] {
  const found = new Set<string>();
  for (const file of filesOf("plugins/**/*.ts")) {
    if (file.startsWith(CLIENT)) continue;
    const text = textOf(file);
    if (!/\b(?:audit|note)\(/.test(text)) continue;
    const logged = new Set(
      [...text.matchAll(/\blog\.\w+\(\s*"([a-z_.]+)"/g)].map(([, name]) => name),
    );
    for (const [, name = ""] of text.matchAll(/"([a-z_]+\.[a-z_]+)"/g)) {
      if (!logged.has(name) && !NO_EVENTS.has(name)) found.add(name);
    }
    for (const [, prefix = ""] of text.matchAll(/event: `([a-z_]+)\.\$\{/g)) {
      for (const action of BUILT_NAMES[prefix] ?? [`unknown of ${prefix}`]) {
        found.add(`${prefix}.${action}`);
      }
    }
  }
  const allowed = new Set<string>(["config.update", "media.delete", "media.upload"]);
  const isPermission = (name: string): boolean =>
    PERMISSIONS.some((permission) => permission === name) && !allowed.has(name);
  return [...found].filter((name) => !isPermission(name));
}

/** Names with a dot in the same files that are no events. */
const NO_EVENTS: ReadonlySet<string> = new Set([
  "admin.drafts",
  "sidebar.yaml",
  "site.yaml",
  "store.image",
]);
/** The ends of names that are put together, by their beginning. */
const BUILT_NAMES: Readonly<Record<string, readonly string[]>> = {
  draft: ["approve", "create", "discard", "publish"],
  flex: ["create", "delete", "update"],
};
