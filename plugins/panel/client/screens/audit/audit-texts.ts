import { texts } from "../../app/texts.js";
import de from "../../locales/de/audit.json";
import en from "../../locales/en/audit.json";

/** Texts of the screen. */
export const t = texts({ en, de });
