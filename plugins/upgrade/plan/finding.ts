/** What an upgrade changes for one site. */

/** One change that concerns the site. */
export interface Finding {
  /**
   * `error`: the site does not start, or loses something, until it is adapted; `warning`: look at it;
   * `info`: nothing to do.
   */
  readonly level: "error" | "warning" | "info";
  readonly kind:
    | "node"
    | "plugin"
    | "hook"
    | "service"
    | "slot"
    | "setting"
    | "route"
    | "command"
    | "template"
    | "theme"
    | "migration";
  /** The hook, key, route … */
  readonly name: string;
  readonly message: string;
  /** Files and keys of the site that use it. */
  readonly usedIn: readonly string[];
  readonly fix: string | null;
}
