import { texts } from "../../app/texts.js";
import de from "../../locales/de/searches.json";
import en from "../../locales/en/searches.json";

/** Texts of the screen. */
export const t = texts({ en, de });
