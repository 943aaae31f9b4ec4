import { texts } from "../../app/texts.js";
import de from "../../locales/de/editor.json";
import en from "../../locales/en/editor.json";

/** Texts of the editor. */
export const t = texts({ en, de });
