import { failureFields } from "../../boot/describe-failure.js";
import type { Site } from "../../boot/create-site.js";

/** The running server. */
export interface Stoppable extends Pick<Site, "close" | "log" | "shutdownMs"> {
  /** Serves on for a while, so that balancers notice; called when a signal ends the process. */
  retire?(): Promise<void>;
  /** Handles an uncaught exception; without it the process exits. */
  crashed?(error: Error): void;
}

/** Time limit of closing beyond the time for open requests, in ms: flushing mails, spans, purges. */
const FLUSH_MS = 10_000;

/** One key press can arrive twice: from the terminal, and forwarded by the parent process. */
const ECHO_MS = 500;

/** The signal of `site reload`; SIGHUP also comes from a terminal that is closed. */
export const RELOAD_SIGNAL = "SIGUSR2";

/** The signals that stop a server: SIGHUP only in a terminal, where it means that the terminal is closed. */
export function stopSignals(): NodeJS.Signals[] {
  return process.stdout.isTTY ? ["SIGTERM", "SIGINT", "SIGHUP"] : ["SIGTERM", "SIGINT"];
}

/** Calls `reload` on `site reload`, and on SIGHUP unless that stops the server. */
export function reloadOnSignals(reload: () => void): void {
  process.on(RELOAD_SIGNAL, reload);
  if (!stopSignals().includes("SIGHUP")) process.on("SIGHUP", reload);
}

/**
 * Closes the site on the first of these signals and exits; a later second one exits at once.
 * An uncaught exception leaves an unknown state: the site closes too, with exit code 1. Returns a
 * function that stops the site for another reason.
 */
export function stopOnSignals(
  site: Stoppable,
  signals: readonly NodeJS.Signals[],
): (code: number) => void {
  let stopping = false;
  let stoppedAt = -Infinity;
  const close = (code: number): void => {
    setTimeout(() => {
      site.log.error("site.close_overdue");
      site.log.flush?.();
      process.exit(1);
    }, site.shutdownMs + FLUSH_MS).unref();
    site.close().then(
      () => process.exit(code),
      () => process.exit(1),
    );
  };
  const stop = (code: number): void => {
    if (stopping) process.exit(1);
    stopping = true;
    // After a failure the state is unknown: no further requests.
    if (code !== 0 || site.retire === undefined) return close(code);
    void site.retire().finally(() => close(code));
  };
  for (const signal of signals) {
    process.on(signal, () => {
      if (performance.now() - stoppedAt < ECHO_MS) return;
      stoppedAt = performance.now();
      site.log.info("site.stopping", { signal });
      stop(0);
    });
  }
  process.on("uncaughtException", (error) => {
    site.log.error("process.uncaught_exception", { ...failureFields(error), error: String(error) });
    if (site.crashed === undefined || stopping) stop(1);
    else site.crashed(error);
  });
  process.on("unhandledRejection", (reason) => {
    site.log.error("process.unhandled_rejection", failureFields(reason));
  });
  return stop;
}
