import { HttpError, SiteError } from "#kernel";

/** Error codes of the cluster: what each means, and the fix. */
export const clusterErrors = {
  ERR_CLUSTER_OFF: "The cluster is off: set `cluster.enabled` in system.yaml.",
  ERR_CLUSTER_URL:
    "The cluster needs the address of Redis: set SITE_REDIS_URL, or `cluster.transport: postgres`.",
  ERR_CLUSTER_LOGIN:
    "Redis rejects the user, the password or the database number of SITE_REDIS_URL: correct them.",
  ERR_CLUSTER_SITE:
    "The database of SITE_REDIS_URL connects the nodes of another site: give each site a database number of its own.",
  ERR_CLUSTER_NODE_TAKEN:
    "Another process runs under the name of this node: give each node its own `cluster.node`.",
  ERR_CLUSTER_DOWN:
    "The store of `cluster.transport` (Redis or PostgreSQL) does not respond, so nothing can be written (503): restore it; the site retries every second.",
  ERR_CLUSTER_BUSY: "Another node has been writing for a long time (503): try again.",
} as const;

/** The 503 of a write while the store of the transport is down. */
export function clusterDown(cause?: unknown): HttpError {
  return new HttpError(503, "changes cannot be saved at the moment: the cluster is not reachable", {
    code: "ERR_CLUSTER_DOWN",
    headers: { "Retry-After": "5" },
    fix: "restore the store of cluster.transport; the site retries every second",
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

/** The store connects the nodes of another site, probably by mistake. */
export function foreignStore(owner: string, site: string): SiteError {
  const names = `the site ${JSON.stringify(owner)}, this one is ${JSON.stringify(site)}`;
  return new SiteError("ERR_CLUSTER_SITE", `the database of SITE_REDIS_URL belongs to ${names}`, {
    fix: "give each site a database number of its own; after a change of `url` or `title`, delete the key site:cluster:site",
  });
}

/** The store does not let this node in. */
export function rejectedLogin(reason: string, cause: unknown): SiteError {
  return new SiteError("ERR_CLUSTER_LOGIN", `Redis rejects SITE_REDIS_URL: ${reason}`, {
    fix: "correct user, password and database number in SITE_REDIS_URL",
    cause,
  });
}
