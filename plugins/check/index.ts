/**
 * Checks the content as a whole, tracks links between pages, and moves pages with their links.
 * Provides: check.
 * Uses: content, render, flex, markdown, cache, admin, media.
 * Adds: redirects.
 */
import { definePlugin } from "#kernel";
import { checkContentCommand } from "./commands/check-content.js";
import { createPageCommand } from "./commands/create-page.js";
import { deletePageCommand } from "./commands/delete-page.js";
import { listPagesCommand } from "./commands/list-pages.js";
import { movePageCommand } from "./commands/move-page.js";
import {
  stampTranslationsCommand,
  translationStatusCommand,
} from "./commands/translation-status.js";
import type {} from "./contract.js";
import { loginCheck, warnOfMissingLogin } from "./missing-login.js";
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
