import type { Command, CommandInput } from "#kernel";
import { exitCode } from "#kernel/internal";
import type { DeliveryRecord, WebhooksService } from "../contract.js";
import { formatDelivery } from "./list-deliveries.js";

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
