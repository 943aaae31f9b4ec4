/** Sends the events of earlier changes to one endpoint again, from the journal of changes. */
import type { ChangeBatch } from "#kernel";
import type { ChangeJournal } from "#kernel/internal";
import type { ReplayResult, WebhookSection } from "./contract.js";
import type { WebhookEventData } from "./delivery-record.js";

/** Events of one call; a batch stays in one piece. */
const MAX_EVENTS = 1_000;
/** Batches of one read. */
const MAX_BATCHES = 100;

/** What a replay reads from. */
export interface ReplayParts {
  readonly journal: Pick<ChangeJournal, "read">;
  eventsOf(batch: ChangeBatch): readonly WebhookEventData[];
}

/**
 * The events after a cursor that an endpoint is subscribed to, oldest first, with the cursor to continue from.
 * @throws ERR_CHANGES_GONE (410).
 */
export async function eventsSince(
  { journal, eventsOf }: ReplayParts,
  { events: wanted }: Pick<WebhookSection, "events">,
  since: string,
): Promise<{ events: WebhookEventData[] } & Pick<ReplayResult, "cursor" | "more">> {
  const events: WebhookEventData[] = [];
  let cursor = since;
  for (;;) {
    const page = await journal.read(cursor, MAX_BATCHES);
    for (const [at, batch] of page.batches.entries()) {
      cursor = batch.cursor;
      events.push(...eventsOf(batch).filter(({ event }) => wanted.includes(event)));
      const isLast = at === page.batches.length - 1;
      if (events.length >= MAX_EVENTS) return { events, cursor, more: page.more || !isLast };
    }
    if (!page.more) return { events, cursor, more: false };
  }
}
