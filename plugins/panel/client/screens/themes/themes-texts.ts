import { texts } from "../../app/texts.js";
import de from "../../locales/de/themes.json";
import en from "../../locales/en/themes.json";

/** Texts of the screen. */
export const t = texts({ en, de });
