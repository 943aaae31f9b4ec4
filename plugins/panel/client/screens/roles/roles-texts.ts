import { texts } from "../../app/texts.js";
import de from "../../locales/de/roles.json";
import en from "../../locales/en/roles.json";

/** Texts of the roles. */
export const t = texts({ en, de });
