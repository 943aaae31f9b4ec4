import { texts } from "../../app/texts.js";
import de from "../../locales/de/users.json";
import en from "../../locales/en/users.json";

/** Texts of the list of accounts. */
export const t = texts({ en, de });
