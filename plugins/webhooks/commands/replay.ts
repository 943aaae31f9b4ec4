import type { Command, CommandInput } from "#kernel";
import { exitCode } from "#kernel/internal";
import type { ReplayResult, WebhooksService } from "../contract.js";

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
