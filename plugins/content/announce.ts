/** Publishes changes of the tree on the change feed, and fires the hooks of the specification after it. */
import type { Change, ChangeBatch, Changes, Hooks, NewChangeBatch } from "#kernel";
import { dueBatch, toBatches } from "./batches.js";
import type { ContentChanges, PageEvent } from "./contract.js";
import type { StoreChange } from "./store-options.js";

/** What a batch says to the page hooks: pages that came, changed, went, or changed their status. */
export function pageEvents({ changes }: Pick<ChangeBatch, "changes">): PageEvent[] {
  return changes.flatMap((change) => (change.kind === "page" ? eventsOf(change) : []));
}

function eventsOf({ key: sourcePath, op, before, after }: Change<"page">): PageEvent[] {
  if (op === "delete") return [{ hook: "onPageDelete", data: { sourcePath } }];
  // Its file is there, and cannot be read for the moment.
  if (after === null) return [];
  const { title, status } = after;
  if (op === "create") return [{ hook: "onPageCreate", data: { sourcePath, title } }];
  const update: PageEvent = { hook: "onPageUpdate", data: { sourcePath, title } };
  if (before === null || before === after) return [update];
  // Only what is around the page is different.
  if (before.hash === after.hash) return [];
  if (before.status === status) return [update];
  const data = { sourcePath, from: before.status, to: status };
  return [update, { hook: "onWorkflowChange", data }];
}

/** Announces changes of the tree, one after the other. */
export class Announcer {
  readonly #hooks: Pick<Hooks, "notify">;
  readonly #feed: Pick<Changes, "publish">;
  #announced: Promise<void> = Promise.resolve();

  constructor(hooks: Pick<Hooks, "notify">, feed: Pick<Changes, "publish">) {
    this.#hooks = hooks;
    this.#feed = feed;
  }

  /** Publishes at once; the hooks fire when all who listen to the feed are done. */
  changed(change: StoreChange): void {
    const { changes, before, after, writes } = change;
    const isOther = before !== after || changes.tags.size > 0;
    this.#announce(toBatches(change), () => {
      for (const write of writes) write.release();
      if (isOther) this.#hooks.notify("onRebuild", changes);
    });
  }

  /** Announces what the clock alone has changed. */
  due(changes: ContentChanges): void {
    this.#announce([dueBatch(changes)], () => this.#hooks.notify("onRebuild", changes));
  }

  /** Resolves when everything so far is announced. */
  settled(): Promise<void> {
    return this.#announced;
  }

  #announce(batches: readonly NewChangeBatch[], then: () => void): void {
    // The feed has logged what a listener threw; the change is made all the same.
    const published = Promise.allSettled(batches.map((batch) => this.#feed.publish(batch)));
    const before = this.#announced;
    this.#announced = published.then(async () => {
      await before;
      then();
      for (const event of batches.flatMap(pageEvents)) this.#notify(event);
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
