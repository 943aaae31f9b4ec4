import { texts } from "../../app/texts.js";
import de from "../../locales/de/records.json";
import en from "../../locales/en/records.json";

/** Texts of the screens for records. */
export const t = texts({ en, de });
