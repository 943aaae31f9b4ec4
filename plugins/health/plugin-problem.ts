import type { SiteContext } from "#kernel";
import { partName } from "#kernel/internal";

/** Names the handlers and extensions of plugins that are switched off after failures; null: none. */
export function pluginProblem({
  hooks,
  extensions,
}: Pick<SiteContext, "hooks" | "extensions">): string | null {
  const places = [
    ...hooks.stats().map((stat) => ({ ...stat, place: stat.hook })),
    ...extensions.stats().map((stat) => ({ ...stat, place: partName(stat) })),
  ];
  const off = places.filter(({ open }) => open);
  if (off.length === 0) return null;
  // The reason may name paths of this machine: the log has it.
  return off
    .map(({ plugin, place }) => `plugin ${plugin} is switched off in ${place}: see the log`)
    .join("; ");
}
