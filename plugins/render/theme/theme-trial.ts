import type { ThemeTrial } from "../contract.js";
import type { RenderContext } from "../page/render-context.js";

/** The context for a page as it would look with other settings of the active theme. */
export function trialContext(
  context: RenderContext,
  { preset, custom }: ThemeTrial,
): RenderContext {
  const { site } = context;
  const active = context.theme();
  const parentFirst = active.chain.toReversed().map(({ manifest }) => manifest.defaults);
  const config: Record<string, unknown> = Object.assign({}, ...parentFirst, custom);
  const theme = { ...site.settings.site.theme, custom, preset };
  const settings = { ...site.settings, site: { ...site.settings.site, theme } };
  const tried = { ...active, config };
  return { ...context, site: { ...site, settings }, theme: () => tried };
}
