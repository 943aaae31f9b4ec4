/** Applies the changes of other nodes, and completes the announcements of those that died. */
import type { Change, SiteContext } from "#kernel";
import type {} from "../content/contract.js";
import type {} from "../flex/contract.js";
import type { Message, Transport } from "./transport.js";

/** Re-reads what a message names, then drops what was cached from it. Logs errors. */
export async function applyMessage(site: SiteContext, message: Message): Promise<void> {
  const { node, changes, tags } = message;
  if (message.isTransient === true) return takeTransient(site, message);
  if (changes === null) return rescan(site, node);
  if (changes.length === 0 && tags?.length === 0) return;
  const keysOf = (kinds: readonly string[]): string[] =>
    changes.flatMap(({ kind, key, to }) => {
      if (!kinds.includes(kind)) return [];
      return to === undefined ? [key] : [key, to];
    });
  const paths = keysOf(["page", "file"]);
  const records = keysOf(["record"]);
  await logged(site, async () => {
    if (paths.length > 0) await site.use("content", { optional: true })?.refresh(paths);
    if (records.length > 0) await site.use("flex", { optional: true })?.refresh(records);
  });
  publish(site, node, tags === null ? null : new Set(tags));
}

/** Listeners check the states of their kinds: another version of the site may have sent them. */
function takeTransient(site: SiteContext, { node, changes }: Message): void {
  const taken = (changes ?? []).map(({ kind, key, op, after = null }) => {
    return { kind, key, op, before: null, after } as Change;
  });
  const batch = { changes: taken, tags: new Set<string>(), origin: node, isTransient: true };
  site.changes.publish(batch).catch(() => undefined);
}

/** Reads everything again: messages of other nodes may have been missed. Logs errors. */
export async function rescan(site: SiteContext, node: string): Promise<void> {
  site.log.info("cluster.reading_again", { node });
  await logged(site, async () => {
    await site.use("content", { optional: true })?.rebuild();
    await site.use("flex", { optional: true })?.refresh();
  });
  publish(site, node, null);
}

/** Drops what was cached; earlier batches may wait for the sender. The feed logs errors of its listeners. */
function publish(site: SiteContext, origin: string, tags: ReadonlySet<string> | null): void {
  site.changes.publish({ changes: [], tags, origin }).catch(() => undefined);
}

async function logged(site: SiteContext, work: () => Promise<void>): Promise<void> {
  try {
    await work();
  } catch (error) {
    site.log.error("cluster.not_applied", { error: String(error) });
  }
}

/**
 * Completes the announcements of nodes that died; only the leader does. A page may be announced twice if its
 * node had almost finished.
 */
export class Adoptions {
  readonly #site: SiteContext;
  readonly #transport: Pick<Transport, "orphans" | "finish">;
  #isRunning = false;

  constructor(site: SiteContext, transport: Pick<Transport, "orphans" | "finish">) {
    this.#site = site;
    this.#transport = transport;
  }

  /** Looks for orphans in the background: the heartbeat must not wait for webhooks. */
  start(): void {
    if (this.#isRunning) return;
    this.#isRunning = true;
    this.#adoptAll()
      .catch((error: unknown) => {
        this.#site.log.warn("cluster.not_adopted", { error: String(error) });
      })
      .finally(() => (this.#isRunning = false));
  }

  async #adoptAll(): Promise<void> {
    for (const message of await this.#transport.orphans()) await this.#adopt(message);
  }

  async #adopt({ node, changes, open = "" }: Message): Promise<void> {
    const pages = (changes ?? []).filter(({ kind }) => kind === "page");
    this.#site.log.warn("cluster.adopted", { node, pages: pages.length });
    const content = this.#site.use("content", { optional: true });
    await content?.announce(pages.map(({ op, key }) => ({ op, sourcePath: key })));
    await this.#transport.finish(open);
  }
}
