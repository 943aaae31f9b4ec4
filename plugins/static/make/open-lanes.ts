import type { SiteContext } from "#kernel";
import type { Place } from "../plan/addresses.js";
import { hereLane } from "./export-batch.js";
import { ThreadLane, type Lane } from "./export-lanes.js";
import type { FailureLog } from "./failure-log.js";
import { PageExporter } from "./page-exporter.js";

/** Number of jobs per thread above which booting the site again pays off. */
const WORTH_THREADS = 600;

/** Inputs of lanes. */
export interface LaneOptions {
  place: Place;
  stage: string;
  searchHeads: ReadonlyMap<string, string>;
  showsDrafts: boolean;
  failures: FailureLog;
  concurrency: number;
}

/** Opens as many lanes as the work justifies: one here, and a thread for each further one. */
export function openLanes(site: SiteContext, jobs: number, options: LaneOptions): Lane[] {
  const { place, stage, searchHeads, showsDrafts, failures, concurrency } = options;
  const asker = site.use("static");
  const here = { asker, place, stage, name: "page", failures, searchHeads };
  const threads = jobs < WORTH_THREADS ? 0 : concurrency - 1;
  return [
    hereLane(new PageExporter(here)),
    ...Array.from(
      { length: threads },
      (_, at) =>
        new ThreadLane({
          ...{ recipe: site.runtime.recipe, place, stage, searchHeads, showsDrafts },
          name: `page-${at}`,
        }),
    ),
  ];
}
