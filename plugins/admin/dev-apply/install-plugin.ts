import { safeJoin } from "#kernel";
import { addPluginEntry } from "#kernel/internal";
import type { Verdict } from "./changes.js";

const PACKAGE = /^(?:npm|jsr):(@[a-z0-9][\w.-]*\/)?[a-z0-9][\w.-]*@[~^]?\d+(\.\d+){0,2}(-[\w.]+)?$/;
const FOLDER = /^\.\/[\w./-]+$/;

/**
 * `plugin.install`: adds a plugin to `plugins:` of site.yaml; does not download or run anything.
 */
export async function installPlugin(
  spec: string,
  edit: (next: (text: string) => string) => Promise<Verdict>,
): Promise<Verdict> {
  if (!isSpec(spec)) {
    const errors = [
      `${JSON.stringify(spec.slice(0, 120))} is not a plugin: use npm:name@version or ./folder of the site`,
    ];
    return { status: "error", errors };
  }
  return edit((text) => addPluginEntry(text, spec));
}

/** True for a pinned package or a path below the site root. */
export function isSpec(spec: string): boolean {
  if (PACKAGE.test(spec)) return true;
  return FOLDER.test(spec) && safeJoin("/site", spec.slice(2)) !== null;
}
