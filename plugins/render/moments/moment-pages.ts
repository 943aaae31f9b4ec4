import type { SiteContext } from "#kernel";
import { SitePath, withoutParameters, type AnswerFilter } from "#kernel/internal";
import type {} from "../../admin/contract.js";
import type { ActiveTheme } from "../theme/active-theme.js";
import { encodePath } from "../page/url.js";
import { keepMoment } from "./keep-moment.js";
import { MOMENT_STYLE_PATH, withBanner } from "./moment-banner.js";

/** HTML at another moment: links keep it, and a notice names it. */
export function momentPages(site: SiteContext, theme: () => ActiveTheme): AnswerFilter {
  const { settings, runtime } = site;
  const at = new SitePath(settings.site.url);
  const place = { base: settings.site.url, adminPath: settings.admin.path, at };
  return (req, _res, answer) => {
    const moment = req.ctx.state.viewer?.moment;
    if (moment === undefined || !answer.type.startsWith("text/html")) return;
    const { query } = moment;
    const { path, search, lang } = req.ctx;
    const rest = withoutParameters(search, namesIn(query));
    const leave = at.outside(encodePath(path)) + (rest === "" ? "" : `?${rest}`);
    const html = keepMoment(answer.body.toString(), { query, ...place });
    answer.body = withBanner(html, {
      moment,
      leave,
      lang,
      now: runtime.clock.now(),
      t: theme().strings.of(lang),
      styleUrl: at.outside(MOMENT_STYLE_PATH),
      timezone: settings.system.timezone,
    });
  };
}

function namesIn(query: string): readonly string[] {
  return [...new URLSearchParams(query).keys(), "at", "rev", "preview"];
}
