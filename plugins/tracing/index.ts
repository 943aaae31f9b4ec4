/**
 * Settings of tracing and metrics.
 */
import { definePlugin } from "#kernel";
import { settings } from "./settings.js";

export default definePlugin({ name: "tracing", version: "1.0.0", settings });
