/**
 * Settings of the admin API.
 */
import { definePlugin } from "#kernel";
import { settings } from "./settings.js";

export default definePlugin({ name: "admin", version: "1.0.0", settings });
