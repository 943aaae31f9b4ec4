/** Addresses in a page's HTML that keep its moment. */
import { escapeHtml } from "#kernel";
import type { SitePath } from "#kernel/internal";

/** What links of a page need to lead to the same moment. */
export interface LinkedMoment {
  /** Query string that leads to the moment. */
  readonly query: string;
  /** Base URL of the site. */
  readonly base: string;
  /** The path of the site, which links have. */
  readonly at: SitePath;
  /** Path of the admin panel. */
  readonly adminPath: string;
}

/** What is the same at every moment. */
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
export function keepMoment(html: string, moment: LinkedMoment): string {
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
      pieces.push(html.slice(from, at), tagAt(name, html.slice(at, end), moment));
      from = end;
    }
    at = RAW.some((raw) => raw === name) ? after(html, `</${name}`, end) : end;
  }
  pieces.push(html.slice(from));
  return pieces.join("");
}

/** The position behind the next occurrence of a text; that of the end without one. */
function after(html: string, text: string, from: number): number {
  const found = html.indexOf(text, from);
  return found === -1 ? html.length : found + text.length;
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

function tagAt(name: string, tag: string, moment: LinkedMoment): string {
  if (name === "link" && !FOLLOWED_LINK.test(tag)) return tag;
  if (name === "form") return tag + formFields(tag, moment);
  const attributes = ATTRIBUTES[name] ?? [];
  return tag.replace(ATTRIBUTE, (whole: string, ...found: (string | undefined)[]) => {
    const [space = " ", attribute = "", double, single] = found;
    if (!attributes.includes(attribute.toLowerCase())) return whole;
    const value = double ?? single ?? "";
    const next =
      attribute.toLowerCase() === "srcset" ? srcsetAt(value, moment) : addressAt(value, moment);
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

function srcsetAt(value: string, moment: LinkedMoment): string {
  return value
    .split(/(,\s+)/)
    .map((candidate) => candidate.replace(/^\S+/, (url) => addressAt(url, moment)))
    .join("");
}

/** An address as written in an attribute, with the moment where it leads to this site. */
function addressAt(written: string, moment: LinkedMoment): string {
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
