/** Webhooks on a folder of their own, without a site. */
import { join } from "node:path";
import { type Clock, type Logger, silentLog } from "#kernel";
import { FileStore } from "../../../plugins/records/engines/file-store.js";
import { JobFiles } from "../../../plugins/jobs/engines/job-files.js";
import { StoredJobs } from "../../../plugins/jobs/engines/stored-jobs.js";
import { JobQueue } from "../../../plugins/jobs/job-queue.js";
import { OutboundClient } from "../../../plugins/outbound/client.js";
import { createAttempt, type Attempt } from "../../../plugins/webhooks/attempt.js";
import type { WebhookSection } from "../../../plugins/webhooks/contract.js";
import { DeliveryLog } from "../../../plugins/webhooks/delivery-log.js";
import { DeliveryQueue } from "../../../plugins/webhooks/delivery-queue.js";
import { Webhooks } from "../../../plugins/webhooks/service.js";

/** What a sender is made with. */
export interface SenderOptions {
  folder: string;
  endpoints: readonly WebhookSection[];
  delaysMs?: readonly number[];
  attempt?: Attempt;
  clock?: Clock;
  logger?: Logger;
}

/** The webhooks of one process: jobs in `{folder}/jobs`, the log in `{folder}/log`. */
export function webhookSender({ folder, endpoints, ...options }: SenderOptions) {
  const {
    clock = { now: () => Date.now() },
    logger = silentLog,
    delaysMs = [30, 30, 30],
  } = options;
  const { attempt = createAttempt(new OutboundClient({ denyPrivate: false }), clock.now) } =
    options;
  const closing = new AbortController();
  const store = new JobFiles(join(folder, "jobs"));
  const { signal } = closing;
  const engine = new StoredJobs({ store, clock, log: silentLog, signal });
  const jobs = new JobQueue({ engine: () => engine, clock, log: silentLog });
  const log = new DeliveryLog(new FileStore(join(folder, "log")));
  const queue = new DeliveryQueue({ jobs, log, endpoints, attempt, clock, logger, delaysMs });
  const journal = { read: async () => ({ batches: [], more: false }) };
  const replays = { journal, eventsOf: () => [] };
  const service = new Webhooks({ jobs, queue, log, endpoints, clock, replays });
  const close = async (): Promise<void> => {
    closing.abort();
    await jobs.close();
  };
  return { service, jobs, log, close };
}
