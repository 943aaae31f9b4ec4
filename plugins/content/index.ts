/**
 * The content tree: an index of pages that follows the files, views on it, the write path.
 * Provides: content, editorSchemas.
 * Uses: records, health.
 * Opens: templateNames, collectionSources, redirects, routeClaims, prepareContent, writeGuards, pluginProblems, rootFolders.
 * Adds: pluginProblems.
 * Fires: onContentIndexReady, onMediaDiscovered, onPageLoaded, onCollectionResolved, onRouteResolved, onRebuild, onPageCreate, onPageUpdate, onPageDelete, onWorkflowChange.
 */
import { definePlugin } from "#kernel";
import { editorSchemas, followBlueprints } from "./blueprints/site-blueprints.js";
import { checkSettings, inspectFolder } from "./problems/check-settings.js";
import type {} from "./contract.js";
import { isReleased } from "./schedule/publication-time.js";
import { TreeService } from "./service.js";
import { settings } from "./settings.js";
import { pageJournal } from "./write/journal-form.js";
import { unreadPaths } from "./read/unread-files.js";
import { followRootFolders } from "./watch/root-folders.js";
import { followFiles } from "./watch/follow-files.js";
import { contentErrors } from "./errors.js";
import {
  collectionResolved,
  mediaDiscovered,
  pageLoaded,
  routeResolved,
} from "./payload-checks.js";

/** Problems that the detailed health lists. */
const MAX_LISTED = 100;

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
  setup(site) {
    const service = new TreeService(site);
    site.provide("content", service);
    site.changes.journal.keep("page", pageJournal);
    site.provide("editorSchemas", { all: () => editorSchemas(service.blueprints) });
    site.hooks.extendContext("content", () => (service.isReady ? service.view() : undefined));
    site.lifecycle.onReady(async () => {
      await service.load();
      const { entries, problems } = service.generation();
      site.log.info("content.indexed", { pages: entries.length, problems: problems.length });
      await site.hooks.run("onContentIndexReady", { generation: service.generation() });
    });
    site.lifecycle.onClose(() => service.close());
    // Watching many folders costs as much as reading them, so startup does not wait for it.
    site.lifecycle.afterReady(() => followFiles(site, service));
    // Startup does not wait for reading every sidecar.
    site.lifecycle.afterReady(() => void service.findMediaProblems());
    site.lifecycle.afterReady(() =>
      followBlueprints(site, service.blueprints, () => service.rebuild()),
    );
    followRootFolders(site);
    const health = site.use("health", { optional: true });
    health?.addSection("pages", () => countPages(service, site.runtime.clock.now()));
    health?.addCheck("content", () => unreadProblem(service));
    health?.addCheck("steps", () => service.steps.health());
    site.extensions.add("pluginProblems", () => service.steps.problems());
    health?.addSection("content", () => ({ problems: listProblems(service) }));
  },
});

/** Page counts of all languages for the detailed health report. */
function countPages(
  service: TreeService,
  now: number,
): { total: number; published: number; errors: number } {
  const { entries, problems } = service.generation();
  const published = entries.filter((entry) => isReleased(entry, now)).length;
  const errors = problems.filter(({ severity }) => severity === "error").length;
  return { total: entries.length, published, errors };
}

/** The health message about unreadable files; the log has their paths. */
function unreadProblem(service: TreeService): string | null {
  const { length } = unreadPaths(service.generation());
  if (length === 0) return null;
  return `${length} ${length === 1 ? "file or folder" : "files or folders"} of the content cannot be read; the last versions are served`;
}

/** The problems for the detailed health: the first hundred. */
function listProblems(service: TreeService) {
  const problems = service.problems().slice(0, MAX_LISTED);
  return problems.map(({ sourcePath, isInRoot, ...problem }) => ({
    file: isInRoot ? sourcePath : service.addresses.fromRoot(sourcePath),
    ...problem,
  }));
}
