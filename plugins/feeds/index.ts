/**
 * Settings of the RSS and Atom feeds and of the sitemap.
 */
import { definePlugin } from "#kernel";
import { settings } from "./settings.js";

export default definePlugin({ name: "feeds", version: "1.0.0", settings });
