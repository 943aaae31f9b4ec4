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

/** Memory right after a collection, in MB. */
export interface InUse {
  /** Of the process. */
  readonly resident: number;
  /** Of it what JavaScript reaches, buffers included. */
  readonly live: number;
}

/** An interval, and what the site used. */
export interface Tick extends Interval, Sample {
  /** Processor cores that the site used. */
  readonly cores: number;
  /** At the end of some minutes. */
  readonly inUse: InUse | null;
}
