/**
 * Checks the content as a whole, tracks links between pages, and moves pages with their links.
 * Provides: check.
 * Uses: content, render, flex, markdown, cache, admin, media.
 * Adds: redirects.
 */
import { definePlugin } from "#kernel";
import {
  checkContentCommand,
  createPageCommand,
  listPagesCommand,
  movePageCommand,
  deletePageCommand,
} from "./commands.js";
import { stampTranslationsCommand, translationStatusCommand } from "./translations.js";
import type {} from "./contract.js";
import { loginCheck, warnOfMissingLogin } from "./find-problems.js";
import { problemsRoute } from "./routes.js";
import { Checks } from "./service.js";

export default definePlugin({
  name: "check",
  version: "1.0.0",
  description: "Checks of the content, moves and commands for pages",
  requires: ["content"],
  after: ["render", "markdown", "flex", "cache", "admin"],
  diagnostics: [loginCheck],
  commands: [
    checkContentCommand(),
    createPageCommand(),
    deletePageCommand(),
    listPagesCommand(),
    movePageCommand(),
    translationStatusCommand(),
    stampTranslationsCommand(),
  ],
  setup(site) {
    const checks = new Checks(site);
    site.provide("check", checks);
    problemsRoute(site, checks);
    site.lifecycle.onListen(() => warnOfMissingLogin(site));
  },
});
