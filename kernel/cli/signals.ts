import type { Site } from "../site.js";

/** Closes the site on the first SIGTERM, SIGINT or SIGHUP and exits; a second one exits at once. */
export function stopOnSignals(site: Site): void {
  let stopping = false;
  const stop = (signal: NodeJS.Signals): void => {
    if (stopping) process.exit(1);
    stopping = true;
    site.log.info("site.stopping", { signal });
    site.close().then(
      () => process.exit(0),
      () => process.exit(1),
    );
  };
  for (const signal of ["SIGTERM", "SIGINT", "SIGHUP"] as const) process.on(signal, stop);
  process.on("unhandledRejection", (reason) => {
    site.log.error("process.unhandled-rejection", { error: String(reason) });
  });
  // A reader of our output that goes away must not take the server with it.
  for (const stream of [process.stdout, process.stderr]) stream.on("error", () => undefined);
}
