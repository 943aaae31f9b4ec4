import type { SiteContext } from "#kernel";

/** Names the handlers and extensions of plugins that are switched off after failures; null: none. */
export function pluginProblem({
  hooks,
  extensions,
}: Pick<SiteContext, "hooks" | "extensions">): string | null {
  const places = [
    ...hooks.stats().map((stat) => ({ ...stat, place: stat.hook })),
    ...extensions.stats().map((stat) => ({ ...stat, place: stat.list })),
  ];
  const off = places.filter(({ open }) => open);
  if (off.length === 0) return null;
  return off
    .map(
      ({ plugin, place, lastError }) =>
        `plugin ${plugin} is switched off in ${place}: ${lastError}`,
    )
    .join("; ");
}
