import type { SiteContext } from "#kernel";
import type { Place } from "./addresses.js";
import { hereLane } from "./export-batch.js";
import { ThreadLane, type Lane } from "./export-lanes.js";
import type { FailureLog } from "./failure-log.js";
import { PageExporter } from "./page-exporter.js";

/** Jobs from which threads pay for booting the site once more in each of them. */
const WORTH_THREADS = 1_500;

/** What lanes are made of. */
export interface LaneOptions {
  place: Place;
  stage: string;
  searchHead: string;
  showsDrafts: boolean;
  failures: FailureLog;
  concurrency: number;
}

/** As many lanes as the work is worth: one here, or a thread each. */
export function openLanes(site: SiteContext, jobs: number, options: LaneOptions): Lane[] {
  const { place, stage, searchHead, showsDrafts, failures, concurrency } = options;
  if (concurrency < 2 || jobs < WORTH_THREADS) {
    const asker = site.use("static");
    return [
      hereLane(new PageExporter({ asker, place, stage, name: "page", failures, searchHead })),
    ];
  }
  return Array.from(
    { length: concurrency },
    (_, at) =>
      new ThreadLane({
        ...{ recipe: site.recipe, place, stage, searchHead, showsDrafts },
        name: `page-${at}`,
      }),
  );
}
