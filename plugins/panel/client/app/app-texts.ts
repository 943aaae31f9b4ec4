import de from "../locales/de/app.json";
import en from "../locales/en/app.json";
import { texts } from "./texts.js";

/** Texts of the shell and of parts that all screens share. */
export const t = texts({ en, de });
