import { HttpError, SiteError } from "#kernel";

/** Error codes of the cluster: what each means, and the fix. */
export const clusterErrors = {
  ERR_CLUSTER_OFF: "The cluster is off: set `cluster.enabled` in system.yaml.",
  ERR_CLUSTER_NODE_TAKEN:
    "Another process runs under the name of this node: give each node its own `cluster.node`.",
  ERR_CLUSTER_OLDER_NODE:
    "A node of an older version runs on this database: stop all older nodes, then start the new ones.",
  ERR_CLUSTER_DOWN:
    "PostgreSQL (SITE_DB_URL) does not respond, so nothing can be written (503): restore it; the site retries every second.",
  ERR_CLUSTER_BUSY: "Another node has been writing for a long time (503): try again.",
  ERR_POSTGRES_POOLER:
    "SITE_DB_URL leads to a pooler in transaction mode: set the address of PostgreSQL itself, or of a pool in session mode.",
} as const;

/** A start beside a node that neither shares locks nor messages with this version. */
export function olderNode(name: string): SiteError {
  return new SiteError(
    "ERR_CLUSTER_OLDER_NODE",
    `node ${JSON.stringify(name)} runs an older version on this database, and shares no locks with this one`,
    { fix: "stop all nodes of the older version, then start those of this version" },
  );
}

/** The 503 of a write while the other nodes cannot be reached. */
export function clusterDown(cause?: unknown): HttpError {
  return new HttpError(503, "changes cannot be saved at the moment: the cluster is not reachable", {
    code: "ERR_CLUSTER_DOWN",
    headers: { "Retry-After": "5" },
    fix: "restore PostgreSQL (SITE_DB_URL); the site retries every second",
    ...(cause === undefined ? {} : { cause }),
  });
}

/** The 503 of a write that waited too long for other nodes. */
export function clusterBusy(): HttpError {
  return new HttpError(503, "changes cannot be saved at the moment: another node is writing", {
    code: "ERR_CLUSTER_BUSY",
    headers: { "Retry-After": "2" },
    fix: "try again",
  });
}
