/** Members of the site that have moved: the error that a plugin for an earlier version gets says where to. */
import { SiteError } from "#lib/errors";
import type { SiteContext } from "../contracts.js";

/** Replacements of methods. */
const MOVED_METHODS: Readonly<Record<string, string>> = {
  fill: "site.extensions.add(list, value) for lists, site.engines.activate(slot, engine) for engines",
  find: "site.use(name, { optional: true })",
  onReady: "site.lifecycle.onReady",
  onListen: "site.lifecycle.onListen",
  afterReady: "site.lifecycle.afterReady",
  onClose: "site.lifecycle.onClose",
  state: "site.lifecycle.state()",
  plugins: "site.runtime.plugins()",
  services: "site.runtime.services()",
  configSchema: "site.configFiles.schema(file)",
  checkConfig: "site.configFiles.check(file, text)",
};

/** Objects that are services of a plugin of the same name now. */
const MOVED_OBJECTS = ["jobs"];

/** The fix for a failed call of a method that has moved, by the message of its error; null for others. */
export function movedFix(message: string): string | null {
  const name = /(\w+) is not a function$/.exec(message)?.[1] ?? "";
  const now = MOVED_METHODS[name];
  return now === undefined
    ? null
    : `use ${now} instead; /extend/plugin lists the members that moved`;
}

/** Adds the objects that have moved to a context: reading one throws ERR_PLUGIN_SETUP, with the fix. */
export function withMovedObjects(context: SiteContext): SiteContext {
  for (const name of MOVED_OBJECTS) {
    Object.defineProperty(context, name, {
      get() {
        const message = `plugin "${context.name}" uses site.${name}, which is a service now`;
        throw new SiteError("ERR_PLUGIN_SETUP", message, {
          fix: `add \`requires: ["${name}"]\` to the plugin, and call site.use("${name}") instead`,
        });
      },
    });
  }
  return context;
}
