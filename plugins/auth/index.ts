/**
 * Settings of visitor accounts: providers, tokens, roles.
 */
import { definePlugin } from "#kernel";
import { settings } from "./settings.js";

export default definePlugin({ name: "auth", version: "1.0.0", settings });
