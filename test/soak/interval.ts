import { z } from "zod";
import type { Sample } from "./samples.js";

/** What visitors saw within some seconds. Times in ms. */
export const intervalShape = z.object({
  seconds: z.number(),
  requests: z.int(),
  /** Requests without the expected response: 200, or 404 for the missing page. */
  errors: z.int(),
  /** Responses by status. */
  statuses: z.record(z.string(), z.int()),
  /** Examples of failed requests. */
  failed: z.array(z.string()),
  p50: z.number(),
  p99: z.number(),
  /** The same of a `node:http` server beside it. */
  bareP99: z.number(),
});
export type Interval = z.infer<typeof intervalShape>;

/** An interval, and what the site used. */
export interface Tick extends Interval, Sample {
  /** Processor cores that the site used. */
  readonly cores: number;
  /** What JavaScript reached after each full collection, buffers included, in MB. */
  readonly inUse: readonly number[];
}
