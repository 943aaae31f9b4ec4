/** Publishes changes of the tree on the change feed, then fires the page hooks. */
import type { Change, ChangeBatch, Changes, Hooks, NewChangeBatch } from "#kernel";
import { dueBatch, toBatches } from "./batches.js";
import type { ContentChanges, PageEvent } from "../contract.js";
import type { StoreChange } from "../index/store-options.js";
import { pageEvents } from "./page-events.js";

/** Announces changes of the tree, one at a time. */
export class Announcer {
  readonly #hooks: Pick<Hooks, "notify">;
  readonly #feed: Pick<Changes, "publish">;
  #announced: Promise<void> = Promise.resolve();

  constructor(hooks: Pick<Hooks, "notify">, feed: Pick<Changes, "publish">) {
    this.#hooks = hooks;
    this.#feed = feed;
  }

  /** Publishes at once; the hooks fire when all feed listeners have finished. */
  changed(change: StoreChange): void {
    const { changes, before, after, writes } = change;
    const isOther = before !== after || changes.tags.size > 0;
    this.#announce(toBatches(change), () => {
      for (const write of writes) write.release();
      if (isOther) this.#hooks.notify("onRebuild", changes);
    });
  }

  /** Announces changes of the tree as it is, without invalidating anything. */
  async again(changes: readonly Change<"page">[]): Promise<void> {
    this.#announce([{ changes, tags: new Set() }], () => undefined);
    await this.settled();
  }

  /** Announces scheduled changes. */
  due(changes: ContentChanges): void {
    this.#announce([dueBatch(changes)], () => this.#hooks.notify("onRebuild", changes));
  }

  /** Resolves when everything queued so far has been announced. */
  settled(): Promise<void> {
    return this.#announced;
  }

  #announce(batches: readonly NewChangeBatch[], then: () => void): void {
    // The feed logs listener errors; they do not undo the change.
    const published = Promise.allSettled(batches.map((batch) => this.#feed.publish(batch)));
    const before = this.#announced;
    this.#announced = published.then(async (results) => {
      await before;
      then();
      const announced = toAnnounce(batches, results);
      for (const event of announced.flatMap(pageEvents)) this.#notify(event);
    });
  }

  #notify({ hook, data }: PageEvent): void {
    switch (hook) {
      case "onPageDelete":
        return this.#hooks.notify(hook, data);
      case "onWorkflowChange":
        return this.#hooks.notify(hook, data);
      default:
        return this.#hooks.notify(hook, data);
    }
  }
}

/** The batches that this node announces; those with a failed listener too. */
function toAnnounce(
  batches: readonly NewChangeBatch[],
  results: readonly PromiseSettledResult<ChangeBatch>[],
): readonly Pick<ChangeBatch, "changes">[] {
  return batches.flatMap((batch, at): Pick<ChangeBatch, "changes">[] => {
    const result = results[at];
    if (result?.status !== "fulfilled") return [batch];
    return result.value.origin === null ? [result.value] : [];
  });
}
