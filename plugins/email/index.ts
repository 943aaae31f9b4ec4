/**
 * Settings of sending mail.
 */
import { definePlugin } from "#kernel";
import { settings } from "./settings.js";

export default definePlugin({ name: "email", version: "1.0.0", settings });
