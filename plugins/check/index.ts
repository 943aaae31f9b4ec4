/**
 * Checks the content as a whole, tracks links between pages, and moves pages with their links.
 * Provides: check.
 * Uses: content, render, flex, markdown, cache, admin, media.
 * Adds: redirects.
 */
import { definePlugin } from "#kernel";
import type {} from "./contract.js";

export default definePlugin({
  name: "check",
  version: "1.0.0",
  description: "Checks of the content, moves and commands for pages",
  requires: ["content"],
  after: ["render", "markdown", "flex", "cache", "admin"],
  async diagnostics() {
    const { loginCheck } = await import("./diagnostics.js");
    return [loginCheck];
  },
  async commands() {
    const {
      checkContentCommand,
      createPageCommand,
      listPagesCommand,
      movePageCommand,
      deletePageCommand,
    } = await import("./commands.js");
    const { stampTranslationsCommand, translationStatusCommand } =
      await import("./translations.js");
    return [
      checkContentCommand(),
      createPageCommand(),
      deletePageCommand(),
      listPagesCommand(),
      movePageCommand(),
      translationStatusCommand(),
      stampTranslationsCommand(),
    ];
  },
  async setup(site) {
    const { setUpCheck } = await import("./set-up.js");
    setUpCheck(site);
  },
});
