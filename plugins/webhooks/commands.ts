import { type Command, type CommandInput, exitCode } from "#kernel";
import type { DeliveryRecord, ReplayResult, WebhooksService } from "./contract.js";

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

/** `webhooks:replay`: sends the events since a cursor to one endpoint again. */
export function replayCommand(): Command {
  return {
    name: "webhooks:replay",
    summary: "send the events since a cursor of /api/changes to an endpoint again",
    arguments: "<endpoint>",
    options: [
      ["--since <cursor>", "cursor of an earlier response of /api/changes"],
      ["--dry-run", "only count the events"],
      ["--json", "print JSON"],
    ],
    run: async (input) => {
      const webhooks = (await input.site()).use("webhooks");
      return exitCode(input, () => replay(input, webhooks));
    },
  };
}

async function replay(
  { out, args, options }: CommandInput,
  webhooks: WebhooksService,
): Promise<number> {
  const since = typeof options["since"] === "string" ? options["since"] : "";
  const isDryRun = options["dryRun"] === true;
  let total = 0;
  for (let cursor = since; ;) {
    const result: ReplayResult = await webhooks.replay(args[0] ?? "", { since: cursor, isDryRun });
    total += result.events;
    cursor = result.cursor;
    if (result.more) continue;
    const told = isDryRun ? "would be sent" : "queued";
    if (options["json"] === true) out.json({ events: total, cursor });
    else out.line(`${total} events ${told}, up to cursor ${cursor}`);
    return 0;
  }
}

/** `webhooks:redeliver`: sends a delivery again and waits for its outcome. */
export function redeliverCommand(): Command {
  return {
    name: "webhooks:redeliver",
    summary: "send a delivery again, as a new one",
    arguments: "<id>",
    options: [["--json", "print JSON"]],
    run: (input) => sendAndWait(input, (webhooks) => webhooks.redeliver(input.args[0] ?? "")),
  };
}

/** `webhooks:test`: sends event `test` and waits for its outcome. */
export function testCommand(): Command {
  return {
    name: "webhooks:test",
    summary: "send event `test` to an endpoint, by its label or URL",
    arguments: "<endpoint>",
    options: [["--json", "print JSON"]],
    run: (input) => sendAndWait(input, (webhooks) => webhooks.test(input.args[0] ?? "")),
  };
}

async function sendAndWait(
  { site, out, options }: CommandInput,
  send: (webhooks: WebhooksService) => Promise<DeliveryRecord>,
): Promise<number> {
  const webhooks = (await site()).use("webhooks");
  return exitCode({ out }, async () => {
    const sent = await send(webhooks);
    const record = (await webhooks.outcome(sent.id)) ?? sent;
    if (options["json"] === true) out.json(record);
    else out.line(formatDelivery(record));
    return record.finalStatus === "success" ? 0 : 1;
  });
}
