import type { FaultCluster } from "./fault-cluster.js";

/** A fault: what begins it and what ends it. */
export interface Fault {
  readonly name: string;
  /** What the table says. */
  readonly title: string;
  /** True: also in the short run. */
  readonly isShort?: boolean;
  /** True: connections of writers may be lost. */
  readonly stopsNodes?: boolean;
  /** True: a node is killed; deliveries are under way on it then. */
  readonly kills?: boolean;
  /** How long it lasts, in ms, when the time of the run is too short for it. */
  readonly ms?: number;
  /** True: `doctor` runs during it, which takes as long as its checks. */
  readonly isExamined?: boolean;
  /** True: deliveries that were stored during it and had not been made may be lost. */
  readonly losesJobs?: boolean;
  /** The part of health that a node must name during it. */
  readonly part?: string;
  begin(cluster: FaultCluster): Promise<void> | void;
  end(cluster: FaultCluster): Promise<void> | void;
}
