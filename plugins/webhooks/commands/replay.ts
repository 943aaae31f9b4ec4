import { SiteError, type Command, type CommandInput } from "#kernel";
import type { ReplayResult } from "../contract.js";

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
    run: replay,
  };
}

async function replay({ site, out, args, options }: CommandInput): Promise<number> {
  const webhooks = (await site()).use("webhooks");
  const since = typeof options["since"] === "string" ? options["since"] : "";
  const isDryRun = options["dryRun"] === true;
  try {
    let total = 0;
    for (let cursor = since; ;) {
      const result: ReplayResult = await webhooks.replay(args[0] ?? "", {
        since: cursor,
        isDryRun,
      });
      total += result.events;
      cursor = result.cursor;
      if (result.more) continue;
      const told = isDryRun ? "would be sent" : "queued";
      if (options["json"] === true) out.json({ events: total, cursor });
      else out.line(`${total} events ${told}, up to cursor ${cursor}`);
      return 0;
    }
  } catch (error) {
    if (!(error instanceof SiteError)) throw error;
    out.error(`${error.message}; ${error.fix ?? ""}`);
    return 2;
  }
}
