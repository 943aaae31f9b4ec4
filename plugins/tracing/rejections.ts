import type { SiteContext } from "#kernel";
import type { Metric } from "./contract.js";

/**
 * Counts rejected promises that nobody has waited for. It listens where somebody else does too, as
 * `serve` does: the first listener would change what Node makes of a rejection, which is to end.
 */
export function rejectionMetric({ onListen, onClose }: SiteContext): Metric {
  const seen = { count: 0 };
  const note = (): void => void (seen.count += 1);
  onListen(() => {
    if (process.listenerCount("unhandledRejection") > 0) process.on("unhandledRejection", note);
  });
  onClose(() => void process.off("unhandledRejection", note));
  return {
    name: "site_unhandled_rejections_total",
    help: "Rejected promises that nobody has waited for",
    type: "counter",
    read: () => [{ value: seen.count }],
  };
}
