/** Follows the files after startup; of several workers, the leader watches for all of them. */
import { z } from "zod";
import type { SiteContext } from "#kernel";
import type { TreeService } from "../service.js";
import { ContentWatcher } from "./watch.js";

/** Interval at which a worker asks whether the leader watches, in ms. */
const ASK_MS = 2_000;
const NAME = "content.isWatching";
const LOOK = "content.look";

/** The leader tells other workers where it has looked: at paths, or at the whole tree. */
const looked = z.union([
  z.object({ paths: z.array(z.string()).readonly() }),
  z.object({
    check: z.enum(["file", "hash"]).optional(),
    touched: z.array(z.string()).readonly().optional(),
  }),
]);

/** Watches the content folder, or relies on the worker that does. */
export async function followFiles(site: SiteContext, service: TreeService): Promise<void> {
  const { workers } = site.runtime;
  const lead = async (): Promise<void> => {
    if (site.lifecycle.signal.aborted) return;
    const announced = service.announceMissed().catch((error: unknown) => {
      site.log.error("content.missed_failed", { error: String(error) });
    });
    site.lifecycle.onClose(() => announced);
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
  const passOn = createPasser(site, service);
  const watcher = new ContentWatcher({
    root: site.paths.content,
    isPolling: site.settings.system.content.watch === "poll",
    log: site.log,
    onPaths: async (paths) => {
      await service.refresh(paths);
      passOn({ paths });
    },
    onLost: async (comparison) => {
      const differs = await service.rescan(comparison);
      if (differs || comparison.touched !== undefined) passOn(comparison);
      return differs;
    },
  });
  site.runtime.workers.handle(NAME, () => watcher.isWatching);
  const started = watcher
    .start()
    .then(() => service.rescan())
    // The worker that led before may have ended before it passed on what it saw.
    .then(() => passOn({}))
    .then(() => service.keepWhile(() => watcher.isWatching))
    .catch((error: unknown) => logFailure(site, error));
  site.lifecycle.onClose(async () => {
    await watcher.close();
    await started;
  });
}

/**
 * Tells the other workers to look where this one has looked, one after the other. The messages of the cluster are not
 * enough: a worker that read a file later than this one has a version that this one may never see.
 */
function createPasser(
  { runtime }: SiteContext,
  service: TreeService,
): (what: z.input<typeof looked>) => void {
  const { workers } = runtime;
  let tail: Promise<unknown> = Promise.resolve();
  return (what) => {
    const pass = async (): Promise<void> => {
      // This worker announces what it has found.
      await service.announced();
      await workers.askOthers(LOOK, what);
    };
    tail = tail.then(pass).catch(() => undefined);
  };
}

/** Loaded pages are cached while the leader watches: its messages say what changed. */
function relyOnLeader(
  { runtime: { workers }, lifecycle }: SiteContext,
  service: TreeService,
): void {
  workers.handle(LOOK, async (input) => {
    const what = looked.parse(input);
    if ("paths" in what) await service.refresh(what.paths);
    else await service.rescan(what);
  });
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
  log.error("content.watch_failed", { error: String(error) });
}
