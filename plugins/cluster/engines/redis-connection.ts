import type { Logger } from "#kernel";
import { RedisCalls, RedisConnection } from "#lib/stores";
import { clusterDown } from "../errors.js";

/** A connection whose errors are logged at level `debug`: heartbeats report an outage once. */
export function openConnection(url: string, log: Logger): RedisConnection {
  return new RedisConnection(url, (error) => note(log, error));
}

/** Calls that fail fast. They throw ERR_CLUSTER_DOWN (503). */
export function openCalls(url: string, log: Logger): RedisCalls {
  return new RedisCalls({ url, onError: (error) => note(log, error), toError: clusterDown });
}

function note(log: Logger, error: unknown): void {
  log.debug("cluster.redis_error", { error: String(error) });
}
