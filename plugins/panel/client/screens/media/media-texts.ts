import { texts } from "../../app/texts.js";
import de from "../../locales/de/media.json";
import en from "../../locales/en/media.json";

/** Texts of the media library. */
export const t = texts({ en, de });
