import type { JsonSchema } from "../../api/answers.js";
import { language } from "../../app/texts.js";
import { catalogText, type SettingText } from "./setting-catalog.js";

const files: Readonly<
  Record<typeof language, () => Promise<{ default: Readonly<Record<string, SettingText>> }>>
> = {
  en: () => import("./texts/en.json"),
  de: () => import("./texts/de.json"),
};

/** Only the shown language is loaded. */
const catalog = new Map(Object.entries((await files[language]()).default));

/**
 * The texts of a setting: those of the panel for keys of built-in plugins, else those of its schema (`title`,
 * `description`, and `texts` by language), else its key in words. `plugin`: the block is that of a plugin.
 */
export function settingText(key: string, schema: JsonSchema, plugin = ""): Required<SettingText> {
  const { title, description } = catalogText(catalog, key, plugin) ?? schemaText(schema);
  return {
    title: title ?? keyWords(key),
    description: description ?? schema.description ?? "",
  };
}

function schemaText(schema: JsonSchema): Partial<SettingText> {
  const { title, texts } = schema;
  const own = isObject(texts) ? texts[language] : undefined;
  return {
    ...(typeof title === "string" && { title }),
    ...(isObject(own) && textsOf(own)),
  };
}

function textsOf({ title, description }: Record<string, unknown>): Partial<SettingText> {
  return {
    ...(typeof title === "string" && { title }),
    ...(typeof description === "string" && { description }),
  };
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null;
}

/** `max_sizeMb` as `Max size mb`. */
function keyWords(key: string): string {
  const words = key
    .slice(key.lastIndexOf(".") + 1)
    .replace(/([a-z\d])([A-Z])/g, "$1 $2")
    .replace(/[_-]+/g, " ")
    .toLowerCase();
  return words.charAt(0).toUpperCase() + words.slice(1);
}
