/** One change of an upgrade that concerns a site. */
import { z } from "zod";

export const findingShape = z.object({
  /**
   * `error`: the site does not start, or loses something, until it is adapted; `warning`: look at it;
   * `info`: nothing to do.
   */
  level: z.enum(["error", "warning", "info"]),
  kind: z.enum([
    "node",
    "plugin",
    "hook",
    "service",
    "slot",
    "setting",
    "route",
    "command",
    "template",
    "theme",
    "migration",
  ]),
  /** The hook, key, route … */
  name: z.string(),
  message: z.string(),
  /** Files and keys of the site that use it. */
  usedIn: z.array(z.string()),
  fix: z.string().nullable(),
});
export type Finding = z.output<typeof findingShape>;
