import { texts } from "../../app/texts.js";
import de from "../../locales/de/redirects.json";
import en from "../../locales/en/redirects.json";

/** Texts of the screen. */
export const t = texts({ en, de });
