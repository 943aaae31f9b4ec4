import { texts } from "../../app/texts.js";
import de from "../../locales/de/settings.json";
import en from "../../locales/en/settings.json";

/** Texts of the settings. */
export const t = texts({ en, de });
