import { texts } from "../../../app/texts.js";
import de from "../../../locales/de/table.json";
import en from "../../../locales/en/table.json";

/** Texts of the tools for tables. */
export const t = texts({ en, de });
