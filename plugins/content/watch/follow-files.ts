/** Follows the files after startup; of several workers, the leader watches for all of them. */
import type { SiteContext } from "#kernel";
import type { TreeService } from "../service.js";
import { ContentWatcher } from "./watch.js";

/** How often a worker asks whether the leader watches, in ms. */
const ASK_MS = 2_000;
const NAME = "content.isWatching";

/** Watches the content folder, or relies on the worker that does. */
export async function followFiles(site: SiteContext, service: TreeService): Promise<void> {
  const { workers } = site.runtime;
  const lead = async (): Promise<void> => {
    if (site.lifecycle.signal.aborted) return;
    await service.resumeSchedule();
    watch(site, service);
  };
  const leading = (): Promise<void> => lead().catch((error: unknown) => logFailure(site, error));
  if (workers.isLeader) return leading();
  workers.whenLeader(() => void leading());
  await service.rescan();
  relyOnLeader(site, service);
}

/** Starts watching in the background, then looks for changes that happened before it was ready. */
function watch(site: SiteContext, service: TreeService): void {
  const watcher = new ContentWatcher({
    root: site.paths.content,
    isPolling: site.settings.system.content.watch === "poll",
    log: site.log,
    onPaths: (paths) => service.refresh(paths),
    onLost: (comparison) => service.rescan(comparison),
  });
  site.runtime.workers.handle(NAME, () => watcher.isWatching);
  const started = watcher
    .start()
    .then(() => service.rescan())
    .then(() => service.keepWhile(() => watcher.isWatching))
    .catch((error: unknown) => logFailure(site, error));
  site.lifecycle.onClose(async () => {
    await watcher.close();
    await started;
  });
}

/** Loaded pages are cached while the leader watches: its messages say what changed. */
function relyOnLeader(
  { runtime: { workers }, lifecycle }: SiteContext,
  service: TreeService,
): void {
  let isWatched = false;
  const ask = async (): Promise<void> => {
    if (workers.isLeader) return clearInterval(timer);
    const wasWatched = isWatched;
    isWatched = (await workers.ask("leader", NAME).catch(() => false)) === true;
    if (isWatched && !wasWatched && !workers.isLeader) service.keepWhile(() => isWatched);
  };
  const timer = setInterval(() => void ask(), ASK_MS).unref();
  lifecycle.onClose(() => clearInterval(timer));
  void ask();
}

function logFailure({ log }: SiteContext, error: unknown): void {
  log.error("content.watch.failed", { error: String(error) });
}
