/** Fires the page hooks for what has changed in the index, whoever changed it. */
import type { Hooks, Logger } from "#kernel";
import type { StoreChange } from "./store-options.js";
import type { ContentChanges, PageEntry, PageEvent, PageEventListener } from "./contract.js";

/** What a change tells: pages that came, changed, went, or changed their status. */
export function pageEvents({ changes, before, after }: StoreChange): PageEvent[] {
  const created = changes.created.map(({ sourcePath, title }): PageEvent => {
    // A file that could not be read before is not new.
    const hook = before.records.has(sourcePath) ? "onPageUpdate" : "onPageCreate";
    return { hook, data: { sourcePath, title } };
  });
  const updated = changes.updated.flatMap((entry): PageEvent[] => {
    const { sourcePath, title, hash, status } = entry;
    const old = before.bySource.get(sourcePath);
    if (old === undefined || old.hash === hash) return [];
    const update: PageEvent = { hook: "onPageUpdate", data: { sourcePath, title } };
    if (old.status === status) return [update];
    const data = { sourcePath, from: old.status, to: status };
    return [update, { hook: "onWorkflowChange", data }];
  });
  const deleted = changes.deleted.flatMap(({ sourcePath }): PageEvent[] =>
    after.records.has(sourcePath) ? [] : [{ hook: "onPageDelete", data: { sourcePath } }],
  );
  return [...created, ...updated, ...deleted];
}

/** What the clock alone has changed: a scheduled page has appeared or disappeared. */
export function dueEvents(due: readonly PageEntry[]): PageEvent[] {
  return due.map(({ sourcePath, title }) => ({
    hook: "onPageUpdate",
    data: { sourcePath, title },
  }));
}

/** Tells of page events: the listeners that remember them, then the hooks. */
export class Announcer {
  readonly #hooks: Pick<Hooks, "notify">;
  readonly #log: Pick<Logger, "error">;
  readonly #listeners: PageEventListener[] = [];
  readonly #subscribers: ((changes: ContentChanges) => void)[] = [];
  #remembered: Promise<void> = Promise.resolve();

  constructor(hooks: Pick<Hooks, "notify">, log: Pick<Logger, "error">) {
    this.#hooks = hooks;
    this.#log = log;
  }

  subscribe(listener: (changes: ContentChanges) => void): void {
    this.#subscribers.push(listener);
  }

  /** Tells of a new generation: the subscribers at once, then the hook. */
  changed(changes: ContentChanges): void {
    for (const listener of this.#subscribers) listener(changes);
    this.#hooks.notify("onRebuild", changes);
  }

  add(listener: PageEventListener): void {
    this.#listeners.push(listener);
  }

  tell(events: readonly PageEvent[]): void {
    if (events.length === 0) return;
    for (const listener of this.#listeners) this.#remember(async () => listener(events));
    for (const event of events) this.#notify(event);
  }

  /** Resolves when the listeners have done with everything told so far. */
  remembered(): Promise<void> {
    return this.#remembered;
  }

  #remember(work: () => Promise<void>): void {
    const done = work().catch((error: unknown) => {
      this.#log.error("content.event-lost", { error: String(error) });
    });
    this.#remembered = Promise.all([this.#remembered, done]).then(() => undefined);
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
