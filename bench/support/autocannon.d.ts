/** What the benches use of autocannon, which brings no types. */
declare module "autocannon" {
  interface Options {
    url: string;
    connections?: number;
    /** Seconds. */
    duration?: number;
    amount?: number;
    pipelining?: number;
    timeout?: number;
    headers?: Record<string, string>;
    requests?: readonly { path?: string; method?: string; headers?: Record<string, string> }[];
  }
  interface Histogram {
    average: number;
    mean: number;
    p50: number;
    p90: number;
    p99: number;
    max: number;
    total: number;
  }
  interface Result {
    "2xx": number;
    non2xx: number;
    errors: number;
    timeouts: number;
    statusCodeStats: Record<string, { count: number }>;
    /** Seconds. */
    duration: number;
    latency: Histogram;
    requests: Histogram;
    throughput: Histogram;
  }
  export default function autocannon(options: Options): Promise<Result>;
}
