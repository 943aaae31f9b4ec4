import autocannon from "autocannon";
import type { ServerProcess } from "./server-process.js";

/** Requests to send. */
export interface Load {
  /** Paths in turn. */
  readonly paths: readonly string[];
  /** Requests that are open at once. */
  readonly connections: number;
  readonly seconds: number;
}

/** What the requests of a load took. */
export interface RequestCost {
  /** CPU of the server per request, in µs. */
  readonly cpu: number;
  /** 99th percentile of the time until a response, in ms. */
  readonly p99: number;
  readonly perSecond: number;
}

/**
 * Sends requests for a time and measures them.
 * @throws Error when no response is 2xx or one is not.
 */
export async function requestCost(
  server: Pick<ServerProcess, "url" | "cpu">,
  { paths, connections, seconds }: Load,
): Promise<RequestCost> {
  const before = server.cpu();
  const result = await autocannon({
    url: server.url,
    connections,
    duration: seconds,
    requests: paths.map((path) => ({ path })),
  });
  const requests = result["2xx"];
  if (requests === 0 || result.non2xx > 0) {
    const shown = JSON.stringify(result.statusCodeStats);
    throw new Error(
      `${paths[0]}: ${requests} responses were 2xx and ${result.non2xx} were not (${shown}), with ${result.errors} errors, in ${seconds} s`,
    );
  }
  return {
    cpu: (server.cpu() - before) / requests,
    p99: result.latency.p99,
    perSecond: requests / result.duration,
  };
}
