/**
 * Settings of paid roles.
 */
import { definePlugin } from "#kernel";
import { settings } from "./settings.js";

export default definePlugin({ name: "payments", version: "1.0.0", settings });
