import type { SiteContext } from "#kernel";
import type { ContentIndex } from "../index/content-index.js";
import type { Announcer } from "../write/announce.js";
import { scheduledChanges } from "../write/changes.js";
import { Scheduler } from "./scheduler.js";
import { seenMoment, type SeenMoment } from "./seen-moment.js";

/** Announces pages when they become due, also those that did while the site was down. */
export function announceSchedule(
  site: SiteContext,
  announcer: Announcer,
  index: () => ContentIndex,
): { scheduler: Scheduler; seen: SeenMoment } {
  const scheduler = new Scheduler({
    clock: site.runtime.clock,
    index,
    onDue: (entries) => {
      announcer.due(scheduledChanges(index(), entries));
      void announcer.settled().then(() => seen.note());
    },
  });
  const seen = seenMoment(site, scheduler);
  return { scheduler, seen };
}
