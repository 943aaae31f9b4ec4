import type { Command } from "#kernel";
import type { DeliveryRecord } from "../contract.js";

/** `webhooks:list`: lists the deliveries of the last days. */
export function listDeliveriesCommand(): Command {
  return {
    name: "webhooks:list",
    summary: "list the deliveries of the last seven days, newest first",
    options: [["--json", "print JSON"]],
    async run({ site, out, options }) {
      const { items, total } = await (await site()).use("webhooks").deliveries();
      if (options["json"] === true) {
        out.json({ items, total });
        return;
      }
      for (const item of items) out.line(formatDelivery(item));
      out.line(total === 0 ? "no deliveries" : `${items.length} of ${total} deliveries`);
    },
  };
}

/** One line about a delivery. */
export function formatDelivery(record: DeliveryRecord): string {
  const { id, createdAt, event, endpointLabel, endpointUrl, finalStatus, attempts } = record;
  const last = attempts.at(-1);
  const answer = last === undefined ? "" : (last.errorMessage ?? `answered ${last.statusCode}`);
  const time = new Date(createdAt).toISOString();
  const cells = [
    id,
    time,
    finalStatus,
    event,
    endpointLabel || endpointUrl,
    `${attempts.length}×`,
    answer,
  ];
  return cells.filter((cell) => cell !== "").join("  ");
}
