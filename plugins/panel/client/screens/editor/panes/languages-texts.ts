import { texts } from "../../../app/texts.js";
import de from "../../../locales/de/languages.json";
import en from "../../../locales/en/languages.json";

/** Texts of translations. */
export const t = texts({ en, de });
