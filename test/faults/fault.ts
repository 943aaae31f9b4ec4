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
  begin(cluster: FaultCluster): Promise<void> | void;
  end(cluster: FaultCluster): Promise<void> | void;
}
