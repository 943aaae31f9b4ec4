import type { ThemeTrial } from "../contract.js";
import type { RenderContext } from "../page/render-context.js";
import type { ActiveTheme } from "./active-theme.js";
import { themeConfig } from "./theme-settings.js";

/** The context for a page as it would look in a theme, with settings that are not saved. */
export function trialContext(
  context: RenderContext,
  tried: ActiveTheme,
  { preset, custom }: ThemeTrial,
): RenderContext {
  const { site } = context;
  const config = themeConfig(tried.chain, {
    root: site.paths.root,
    custom,
    mode: site.runtime.env.mode,
  });
  const theme = { ...site.settings.site.theme, name: tried.name, custom, preset };
  const settings = { ...site.settings, site: { ...site.settings.site, theme } };
  const active = { ...tried, config };
  return { ...context, site: { ...site, settings }, theme: () => active };
}
