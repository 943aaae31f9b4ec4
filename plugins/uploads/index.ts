/**
 * Settings of uploads by visitors.
 */
import { definePlugin } from "#kernel";
import { settings } from "./settings.js";

export default definePlugin({ name: "uploads", version: "1.0.0", settings });
