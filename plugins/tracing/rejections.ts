import type { SiteContext } from "#kernel";
import type { Metric } from "./contract.js";

/**
 * Counts unhandled promise rejections. Listens only if another listener exists, as in `serve`: the
 * first listener would disable Node's default, which ends the process.
 */
export function rejectionMetric({ lifecycle: { onListen, onClose } }: SiteContext): Metric {
  const seen = { count: 0 };
  const note = (): void => void (seen.count += 1);
  onListen(() => {
    if (process.listenerCount("unhandledRejection") > 0) process.on("unhandledRejection", note);
  });
  onClose(() => void process.off("unhandledRejection", note));
  return {
    name: "site_unhandled_rejections_total",
    help: "Unhandled promise rejections",
    type: "counter",
    read: () => [{ value: seen.count }],
  };
}
