/**
 * The content tree: an index of pages that follows the files, views on it, the write path.
 * Provides: content, editorSchemas.
 * Uses: records, health.
 * Opens: templateNames, collectionSources, redirects, routeClaims, prepareContent, writeGuards, pluginProblems, rootFolders.
 * Adds: pluginProblems.
 * Fires: onContentIndexReady, onMediaDiscovered, onPageLoaded, onCollectionResolved, onRouteResolved, onRebuild, onPageCreate, onPageUpdate, onPageDelete, onWorkflowChange.
 */
import { definePlugin } from "#kernel";
import { checkSettings, inspectFolder } from "./problems/check-settings.js";
import type {} from "./contract.js";
import { settings } from "./settings.js";
import { contentErrors } from "./errors.js";
import {
  collectionResolved,
  mediaDiscovered,
  pageLoaded,
  routeResolved,
} from "./payload-checks.js";

export default definePlugin({
  name: "content",
  version: "1.0.0",
  errors: contentErrors,
  // Stores the changes of pages: cursors of `/api/changes` and of webhooks outlast the process.
  requires: ["records"],
  after: ["health"],
  settings,
  check: checkSettings,
  inspect: inspectFolder,
  fires: {
    onContentIndexReady: "create",
    onMediaDiscovered: { kind: "transform", check: mediaDiscovered },
    onPageLoaded: { kind: "transform", check: pageLoaded },
    onCollectionResolved: { kind: "transform", check: collectionResolved },
    onRouteResolved: { kind: "transform", check: routeResolved },
    onRebuild: "notify",
    onPageCreate: "notify",
    onPageUpdate: "notify",
    onPageDelete: "notify",
    onWorkflowChange: "notify",
  },
  async setup(site) {
    const { setUpContent } = await import("./set-up.js");
    setUpContent(site);
  },
});
