/**
 * Settings of outgoing and incoming webhooks.
 */
import { definePlugin } from "#kernel";
import { settings } from "./settings.js";

export default definePlugin({ name: "webhooks", version: "1.0.0", settings });
