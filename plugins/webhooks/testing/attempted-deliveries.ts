import { setTimeout as wait } from "node:timers/promises";
import type { DeliveryRecord, WebhooksService } from "../contract.js";

/** How long a first attempt is waited for, in ms. */
const PATIENCE_MS = 5_000;

/** The deliveries of a test site, oldest first, each once it has been attempted. */
export async function attemptedDeliveries(
  webhooks: WebhooksService,
): Promise<readonly DeliveryRecord[]> {
  const until = performance.now() + PATIENCE_MS;
  for (;;) {
    const { items } = await webhooks.deliveries({ limit: 1_000 });
    const isWaiting = items.some(({ attempts }) => attempts.length === 0);
    if (!isWaiting || performance.now() > until) return [...items].reverse();
    await wait(5);
  }
}
