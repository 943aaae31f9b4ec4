/**
 * Settings of purging a content delivery network.
 */
import { definePlugin } from "#kernel";
import { settings } from "./settings.js";

export default definePlugin({ name: "cdn", version: "1.0.0", settings });
