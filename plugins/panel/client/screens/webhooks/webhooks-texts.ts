import { texts } from "../../app/texts.js";
import de from "../../locales/de/webhooks.json";
import en from "../../locales/en/webhooks.json";

/** Texts of the deliveries of webhooks. */
export const t = texts({ en, de });
