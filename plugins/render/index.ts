/**
 * Pages for people: themes, templates, error pages, theme assets, live reload.
 * Provides: render
 * Uses: cache, check, content, markdown, media, session
 * Opens: pageHead, pageProps
 * Adds: templateNames, mdxComponents, routeClaims, pluginProblems
 * Fires: onBeforeRender, onAfterRender, onThemeSwitch
 * Handles: onRebuild
 */
import { definePlugin, type SettingsProblem, expectFields } from "#kernel";
import type {} from "./contract.js";
import { readSidebar, sidebarProblems } from "./reading/sidebar-file.js";
import { settings } from "./settings.js";
import { themeProblems } from "./theme/theme.js";
import { declaredKinds, openKinds } from "./theme/manifest.js";
import { sourceProblem } from "./theme/theme-source.js";
import { renderErrors } from "./errors.js";

/** Payload of onBeforeRender. A template that fails on changed props is rendered with the site's own. */
const beforeRender = expectFields({
  req: ["object"],
  page: ["object", "null"],
  template: ["string"],
  props: ["object"],
});

/** Payload of onAfterRender. */
const afterRender = expectFields({
  req: ["object"],
  page: ["object", "null"],
  html: ["string"],
});

export default definePlugin({
  name: "render",
  version: "1.0.0",
  errors: renderErrors,
  description: "Themes and pages for people",
  requires: ["content", "markdown"],
  settings,
  async commands() {
    const { newSite } = await import("./new-site.js");
    return [newSite];
  },
  fires: {
    onBeforeRender: { kind: "transform", check: beforeRender },
    onAfterRender: { kind: "transform", check: afterRender },
    onThemeSwitch: "notify",
  },
  check: ({ site }) => [
    ...checkSource("theme.src", site.theme.src),
    ...site.themes.flatMap((theme, index) => checkSource(`themes.${index}.src`, theme.src)),
  ],
  inspect: ({ site }, { root, hasOwnPlugins }) => [
    ...themeProblems({
      root,
      settings: site,
      preferSources: false,
      kinds: hasOwnPlugins ? openKinds() : declaredKinds(),
    }),
    ...sidebarProblems(readSidebar(root)),
  ],
  async setup(site) {
    const { setUpRender } = await import("./set-up.js");
    await setUpRender(site);
  },
});

function checkSource(key: string, src: string | null): SettingsProblem[] {
  const problem = src === null ? null : sourceProblem(src);
  return problem === null ? [] : [{ file: "site", key, received: src, ...problem }];
}
