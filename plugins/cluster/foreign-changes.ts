/** Applies the changes of other nodes, and announces what those that died left. */
import type { Change, SiteContext } from "#kernel";
import type {} from "../content/contract.js";
import type {} from "../flex/contract.js";
import type { Pending } from "./announcements.js";
import type { Message } from "./transport.js";

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
 * Announces what other nodes have found or begun to announce before they died. A change may be announced twice
 * if its node had almost finished.
 */
export async function adopt(site: SiteContext, abandoned: readonly Pending[]): Promise<void> {
  const pages = abandoned.flatMap(({ version: { key, op } }) => {
    const [, sourcePath] = /^(?:page|due):(.*)$/s.exec(key) ?? [];
    return sourcePath === undefined ? [] : [{ op, sourcePath }];
  });
  const nodes = [...new Set(abandoned.map(({ node }) => node))];
  site.log.warn("cluster.adopted", { nodes, changes: abandoned.length });
  await site.use("content", { optional: true })?.announce(pages);
  for (const { change } of abandoned) {
    if (change?.kind !== "record") continue;
    await site.changes.publish({ changes: [change], tags: new Set() }).catch(() => undefined);
    const { key, op, after } = change;
    const [type = "", id = ""] = key.split("/");
    if (op !== "move")
      site.hooks.notify("onFlexChange", { op, type, id, record: after?.record ?? null });
  }
}
