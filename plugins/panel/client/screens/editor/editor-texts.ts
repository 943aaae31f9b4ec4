import { language, createTexts, type Language } from "../../app/texts.js";
import type en from "../../locales/en/editor.json";

type Key = keyof typeof en;

// Only the shown language is loaded: no other screen has as many texts.
const locales: Readonly<
  Record<Language, () => Promise<{ default: Readonly<Record<Key, string>> }>>
> = {
  en: () => import("../../locales/en/editor.json"),
  de: () => import("../../locales/de/editor.json"),
};

/** Texts of the editor. */
export const t = createTexts<Key>((await locales[language]()).default);
