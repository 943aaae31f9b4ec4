import { type AnswerFilter, escapeHtml, type SiteContext, SitePath } from "#kernel";
import { sha256 } from "#lib/secrets";
import { splitQuery } from "#lib/urls";
import type {} from "../admin/contract.js";
import type { Moment } from "../content/contract.js";
import type { ActiveTheme } from "./theme/active-theme.js";
import { encodePath } from "./page/url.js";

/** HTML at another moment: links keep it, and a notice names it. */
export function momentPages(site: SiteContext, theme: () => ActiveTheme): AnswerFilter {
  const { settings, runtime } = site;
  const at = new SitePath(settings.site.url);
  const location = { base: settings.site.url, adminPath: settings.admin.path, at };
  return (req, _res, answer) => {
    const moment = req.ctx.state.viewer?.moment;
    if (moment === undefined || !answer.type.startsWith("text/html")) return;
    const { query } = moment;
    const { path, search, lang } = req.ctx;
    const { rest } = splitQuery(search, parameterNames(query));
    const leave = at.outside(encodePath(path)) + (rest === "" ? "" : `?${rest}`);
    const html = keepMoment(answer.body.toString(), { query, ...location });
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

function parameterNames(query: string): readonly string[] {
  return [...new URLSearchParams(query).keys(), "at", "rev", "preview"];
}

/** Address of the notice's style. */
export const MOMENT_STYLE_PATH = "/_site/moment.css";

/** Colours of the theme, where it has some; else those of the system. */
export const MOMENT_STYLE = `.site-moment{box-sizing:border-box;display:flex;flex-wrap:wrap;gap:.35rem 1.25rem;align-items:baseline;justify-content:space-between;margin:0;padding:.65rem clamp(1rem,4vw,2.5rem);font:.9375rem/1.5 var(--sans,system-ui,sans-serif);color:var(--ink,CanvasText);background:var(--mark,Canvas);border-block-end:1px solid var(--line-strong,currentColor);overflow-wrap:anywhere;text-align:start}
.site-moment p{margin:0}.site-moment a{color:inherit;font-weight:650;text-decoration:underline;text-underline-offset:.15em;padding-block:.2rem}
.site-moment a:focus-visible{outline:3px solid currentColor;outline-offset:2px}`;

const VERSION = sha256(MOMENT_STYLE).slice(0, 10);
const BODY = /<body\b[^>]*>/i;

/** Inputs of the notice. */
interface BannerInput {
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
function withBanner(html: string, input: BannerInput): string {
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
  const text = escapeHtml(describeMoment(moment, now, t))
    .replace("{time}", () => time)
    .replace("{commit}", () => commit);
  const label = escapeHtml(t("moment.label", "Moment shown"));
  const link = `<a href="${escapeHtml(leave)}">${escapeHtml(t("moment.leave", "Show the site of today"))}</a>`;
  return `<aside class="site-moment" aria-label="${label}"><p>${text}</p>${link}</aside>`;
}

function describeMoment(
  { at, commit }: BannerInput["moment"],
  now: number,
  t: BannerInput["t"],
): string {
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

/** The properties of a moment that links need to lead to it. */
interface LinkedMoment {
  /** Query string that leads to the moment. */
  readonly query: string;
  /** Base URL of the site. */
  readonly base: string;
  /** The path of the site, which links have. */
  readonly at: SitePath;
  /** Path of the admin panel. */
  readonly adminPath: string;
}

/** Paths whose content is the same at every moment. */
const TIMELESS = /^\/(?:_site|themes|static|plugins|auth|account|uploads|health)(?:[/?#]|$)/;
/** A fragment, another host, another scheme. */
const ELSEWHERE = /^(?:#|\/\/|[a-z][a-z\d+.-]*:)/i;
const NAMED = /[?&;](?:at|rev|preview)=/;
/** Elements whose text is no markup. */
const RAW = ["script", "style", "textarea", "title"] as const;
const TAG_NAME = /^<([a-z][a-z\d-]*)/i;
const ATTRIBUTE = /(\s)(href|src|srcset|poster|action)=(?:"([^"]*)"|'([^']*)')/gi;
const FOLLOWED_LINK = /\srel=["']?(?:next|prev|alternate)\b/i;
const METHOD_POST = /\smethod=["']?post\b/i;

/** Attributes with addresses, by element. */
const ATTRIBUTES: Readonly<Record<string, readonly string[]>> = {
  a: ["href"],
  area: ["href"],
  link: ["href"],
  form: ["action"],
  img: ["src", "srcset"],
  source: ["src", "srcset"],
  video: ["src", "poster"],
  audio: ["src"],
  track: ["src"],
};

/** The HTML with the moment in every address of the site; forms send it along. */
function keepMoment(html: string, moment: LinkedMoment): string {
  const pieces: string[] = [];
  let from = 0;
  for (let at = html.indexOf("<"); at !== -1; at = html.indexOf("<", at)) {
    if (html.startsWith("<!--", at)) {
      at = after(html, "-->", at);
      continue;
    }
    const name = TAG_NAME.exec(html.slice(at, at + 40))?.[1]?.toLowerCase();
    const end = name === undefined ? at + 1 : tagEnd(html, at);
    if (name !== undefined && Object.hasOwn(ATTRIBUTES, name)) {
      pieces.push(html.slice(from, at), rewriteTag(name, html.slice(at, end), moment));
      from = end;
    }
    at = RAW.some((raw) => raw === name) ? after(html, `</${name}`, end) : end;
  }
  pieces.push(html.slice(from));
  return pieces.join("");
}

/** The position behind the next occurrence of a text; that of the end without one. */
function after(html: string, text: string, from: number): number {
  const start = html.indexOf(text, from);
  return start === -1 ? html.length : start + text.length;
}

/** The position behind the tag that begins at `at`. `>` in quotes does not end it. */
function tagEnd(html: string, at: number): number {
  let quote = "";
  for (let end = at; end < html.length; end += 1) {
    const mark = html.charAt(end);
    if (quote !== "") quote = mark === quote ? "" : quote;
    else if (mark === '"' || mark === "'") quote = mark;
    else if (mark === ">") return end + 1;
  }
  return html.length;
}

function rewriteTag(name: string, tag: string, moment: LinkedMoment): string {
  if (name === "link" && !FOLLOWED_LINK.test(tag)) return tag;
  if (name === "form") return tag + formFields(tag, moment);
  const attributes = ATTRIBUTES[name] ?? [];
  return tag.replace(ATTRIBUTE, (whole: string, ...groups: (string | undefined)[]) => {
    const [space = " ", attribute = "", double, single] = groups;
    if (!attributes.includes(attribute.toLowerCase())) return whole;
    const value = double ?? single ?? "";
    const next =
      attribute.toLowerCase() === "srcset"
        ? rewriteSrcset(value, moment)
        : rewriteAddress(value, moment);
    return `${space}${attribute}="${next.replaceAll('"', "&quot;")}"`;
  });
}

/** Fields beside those of a form: the query of its address is replaced when it is sent. */
function formFields(tag: string, moment: LinkedMoment): string {
  const [, , , double, single] = /(\s)(action)=(?:"([^"]*)"|'([^']*)')/i.exec(tag) ?? [];
  const action = double ?? single ?? "";
  if (METHOD_POST.test(tag) || (action !== "" && !isTimed(action, moment))) return "";
  const fields = [...new URLSearchParams(moment.query)].map(
    ([name, value]) => `<input type="hidden" name="${name}" value="${escapeHtml(value)}">`,
  );
  return fields.join("");
}

function rewriteSrcset(value: string, moment: LinkedMoment): string {
  return value
    .split(/(,\s+)/)
    .map((candidate) => candidate.replace(/^\S+/, (url) => rewriteAddress(url, moment)))
    .join("");
}

/** An address as written in an attribute, with the moment where it leads to this site. */
function rewriteAddress(written: string, moment: LinkedMoment): string {
  if (!isTimed(written, moment)) return written;
  const [address = "", ...fragment] = written.split("#");
  const query = moment.query.replaceAll("&", "&amp;");
  const joined = `${address}${address.includes("?") ? "&amp;" : "?"}${query}`;
  return [joined, ...fragment].join("#");
}

/** True for an address of this site whose content depends on the moment. */
function isTimed(written: string, { at, base, adminPath }: LinkedMoment): boolean {
  const origin = base.replace(/(?<!\/)\/+$/, "");
  const isOwn = written === origin || written.startsWith(`${origin}/`);
  const address = isOwn ? written.slice(origin.length) || "/" : at.inside(written.trim());
  if (address === "" || ELSEWHERE.test(address) || NAMED.test(address)) return false;
  const isPanel = address === adminPath || address.startsWith(`${adminPath}/`);
  return !isPanel && !TIMELESS.test(address);
}
