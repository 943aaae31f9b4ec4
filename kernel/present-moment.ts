import type { FieldMoment } from "#lib/fields";
import type { SiteContext } from "./contracts.js";

/** The current time, in the time zone of the site. */
export function presentMoment({
  runtime,
  settings,
}: Pick<SiteContext, "runtime" | "settings">): FieldMoment {
  return { now: runtime.clock.now(), timezone: settings.system.timezone };
}
