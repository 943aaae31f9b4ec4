/** Public types of the cluster: settings, nodes, status. */

/** Section `cluster` of system.yaml. */
export interface ClusterSection {
  enabled: boolean;
  transport: "postgres";
  node: string | null;
}

/** A node, as the others see it. */
export interface ClusterNode {
  readonly name: string;
  readonly host: string;
  readonly pid: number;
  /** When it started, as ISO 8601. */
  readonly since: string;
  /** Version of Sitewright. */
  readonly version: string;
  /** Digest of its plugins and its configuration, without its name. */
  readonly digest: string;
  /** Digest of its pages; empty for some seconds after its start. */
  readonly content: string;
  readonly isLeader: boolean;
  /** Changes of other nodes that it has not applied yet. */
  readonly lag: number;
}

/** The nodes that run. */
export interface ClusterStatus {
  /** Name of this node. */
  readonly node: string;
  /** Name of the leader; null until a node becomes the leader. */
  readonly leader: string | null;
  /** By name. */
  readonly nodes: readonly ClusterNode[];
}

/**
 * The cluster. Provided while `cluster.enabled` is true.
 *
 * @example
 * const cluster = site.use("cluster", { optional: true });
 * const names = (await cluster?.status())?.nodes.map(({ name }) => name) ?? [];
 */
export interface ClusterService {
  /** Name of this node. */
  readonly node: string;
  /** True while this node is the leader. */
  readonly isLeader: boolean;
  /** @throws ERR_CLUSTER_DOWN (503). */
  status(): Promise<ClusterStatus>;
}

declare module "#kernel" {
  interface Services {
    cluster: ClusterService;
  }
  interface SystemSettings {
    cluster: ClusterSection;
  }
}
