import { failureFields } from "../failure.js";
import type { Site } from "../site.js";

/** What is served. */
export interface Stoppable extends Pick<Site, "close" | "log" | "shutdownMs"> {
  /** Takes an exception that nothing caught; without it the process ends. */
  crashed?(error: Error): void;
}

/** How long closing may take beyond what open requests get, in ms: flushing mails, spans, purges. */
const FLUSH_MS = 10_000;

/** One key press can reach us twice: from the terminal, and from whoever has started us and hands it on. */
const ECHO_MS = 500;

/**
 * Closes the site on the first SIGTERM, SIGINT or SIGHUP and exits; a second one, after that, exits at once.
 * What nobody caught leaves an unknown state: the site closes too, and the exit code is 1.
 * Returns what stops the site for another reason.
 */
export function stopOnSignals(site: Stoppable): (code: number) => void {
  let stopping = false;
  let stoppedAt = -Infinity;
  const stop = (code: number): void => {
    if (stopping) process.exit(1);
    stopping = true;
    setTimeout(() => {
      site.log.error("site.close-overdue");
      site.log.flush?.();
      process.exit(1);
    }, site.shutdownMs + FLUSH_MS).unref();
    site.close().then(
      () => process.exit(code),
      () => process.exit(1),
    );
  };
  for (const signal of ["SIGTERM", "SIGINT", "SIGHUP"] as const) {
    process.on(signal, () => {
      if (performance.now() - stoppedAt < ECHO_MS) return;
      stoppedAt = performance.now();
      site.log.info("site.stopping", { signal });
      stop(0);
    });
  }
  process.on("uncaughtException", (error) => {
    const stack = (error.stack ?? "").split("\n");
    site.log.error("process.uncaught-exception", { error: String(error), stack });
    if (site.crashed === undefined || stopping) stop(1);
    else site.crashed(error);
  });
  process.on("unhandledRejection", (reason) => {
    site.log.error("process.unhandled-rejection", failureFields(reason));
  });
  return stop;
}
