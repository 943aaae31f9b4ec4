/** The notice on pages of another moment, with a link to the present. */
import { escapeHtml } from "#kernel";
import { sha256 } from "#kernel/internal";
import type { Moment } from "../../content/contract.js";

/** Address of the notice's style. */
export const MOMENT_STYLE_PATH = "/_site/moment.css";

/** Colours of the theme, where it has some; else those of the system. */
export const MOMENT_STYLE = `.site-moment{box-sizing:border-box;display:flex;flex-wrap:wrap;gap:.35rem 1.25rem;align-items:baseline;justify-content:space-between;margin:0;padding:.65rem clamp(1rem,4vw,2.5rem);font:.9375rem/1.5 var(--sans,system-ui,sans-serif);color:var(--ink,CanvasText);background:var(--mark,Canvas);border-block-end:1px solid var(--line-strong,currentColor);overflow-wrap:anywhere;text-align:start}
.site-moment p{margin:0}.site-moment a{color:inherit;font-weight:650;text-decoration:underline;text-underline-offset:.15em;padding-block:.2rem}
.site-moment a:focus-visible{outline:3px solid currentColor;outline-offset:2px}`;

const VERSION = sha256(MOMENT_STYLE).slice(0, 10);
const BODY = /<body\b[^>]*>/i;

/** Inputs of the notice. */
export interface BannerInput {
  readonly moment: Pick<Moment, "at" | "commit">;
  /** Unix ms. */
  readonly now: number;
  readonly lang: string;
  readonly timezone: string;
  /** Address of the page at present. */
  readonly leave: string;
  /** Address of `MOMENT_STYLE_PATH`. */
  readonly styleUrl: string;
  t(key: string, fallback: string): string;
}

/** The document with the notice as the first part of its body. */
export function withBanner(html: string, input: BannerInput): string {
  const body = BODY.exec(html);
  if (body === null) return html;
  const at = body.index + body[0].length;
  const style = `<link rel="stylesheet" href="${escapeHtml(input.styleUrl)}?v=${VERSION}">`;
  const head = html.slice(0, body.index).replace(/<\/head>/i, (end) => style + end);
  return head + body[0] + banner(input) + html.slice(at);
}

function banner({ moment, now, lang, timezone, leave, t }: BannerInput): string {
  const time = `<time datetime="${new Date(moment.at).toISOString()}">${escapeHtml(formatted(moment.at, { lang, timezone }))}</time>`;
  const commit = `<code>${escapeHtml(moment.commit?.slice(0, 10) ?? "")}</code>`;
  const text = escapeHtml(textOf(moment, now, t))
    .replace("{time}", () => time)
    .replace("{commit}", () => commit);
  const label = escapeHtml(t("moment.label", "Moment shown"));
  const link = `<a href="${escapeHtml(leave)}">${escapeHtml(t("moment.leave", "Show the site of today"))}</a>`;
  return `<aside class="site-moment" aria-label="${label}"><p>${text}</p>${link}</aside>`;
}

function textOf({ at, commit }: BannerInput["moment"], now: number, t: BannerInput["t"]): string {
  if (commit !== null) {
    return t("moment.commit", "You see the site as it was at commit {commit}, on {time}.");
  }
  return at > now
    ? t("moment.future", "You see the site as it will be on {time}.")
    : t("moment.past", "You see the pages of today as of {time}.");
}

function formatted(at: number, { lang, timezone }: Pick<BannerInput, "lang" | "timezone">): string {
  const style = { dateStyle: "long", timeStyle: "short", timeZone: timezone } as const;
  return new Intl.DateTimeFormat(lang, style).format(at);
}
