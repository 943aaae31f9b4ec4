import { texts } from "../../app/texts.js";
import de from "../../locales/de/account.json";
import en from "../../locales/en/account.json";

/** Texts of the own account. */
export const t = texts({ en, de });
