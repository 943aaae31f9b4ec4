import { setTimeout as wait } from "node:timers/promises";
import type { DeliveryRecord, WebhooksService } from "../contract.js";

/** Longest wait for a first attempt, in ms. */
const PATIENCE_MS = 5_000;

/** Waits for the first attempt of each delivery of a test site; oldest first. */
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
