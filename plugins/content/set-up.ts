import type { SiteContext } from "#kernel";
import { editorSchemas, followBlueprints } from "./blueprints/site-blueprints.js";
import { isReleased } from "./schedule/publication-time.js";
import { TreeService } from "./service.js";
import { pageJournal } from "./write/journal-form.js";
import { unreadPaths } from "./read/unread-files.js";
import { followRootFolders } from "./watch/root-folders.js";
import { followFiles } from "./watch/follow-files.js";

/** Registers what the plugin does in a site that starts. */
export function setUpContent(site: SiteContext): void {
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
  service.steps.follow();
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
}

/** Problems that the detailed health lists. */
const MAX_LISTED = 100;

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
