/** Shortcodes of Hugo in Markdown: known ones become Markdown, others stay as comments and are reported. */
import { dedented, type Find, finderIn, replaceMarks } from "#lib/text";
import { isRecord } from "#lib/values";
import { headingAttributes, listAnchor } from "../../text/attribute-lists.js";
import { containerLines, tabLines, titledAlerts } from "../../text/containers.js";
import { embedAddress } from "../../text/markdown-text.js";
import { fencedCode, outsideCode } from "../../text/hidden-code.js";
import {
  commentsLast,
  computedAddressNote,
  isInComment,
  templateComment,
  withoutComputedAddresses,
} from "../../text/template-comments.js";

const REFERENCE = /\{\{[<%]\s*(?:rel)?ref\s/g;
const FIGURE = /\{\{[<%]\s*(?:figure|img|image)\s/g;
const PLAYER = /\{\{[<%]\s*(youtube|vimeo)\s+(?:id=)?"?([\w-]{1,200})"?/g;
const HIGHLIGHT = /\{\{[<%]\s*highlight\s+"?([\w+#.-]{1,100})"?/g;
const NOTICE =
  /^(?:note|tip|warning|info|danger|caution|important|notice|hint|callout|alert|admonition)$/;
const OTHER = /\{\{[<%]\s*\/?\s*([\w/.-]{1,200})/g;
/** `param` of Hugo, and `_param` of Docsy, whose further values stand for `{1}`, `{2}` … */
const PARAM = /\{\{[<%]\s*(_?)param\s+([^{}\n]{1,300}?)\s*[>%]\}\}/g;
const ARGUMENT = /"([^"]*)"|`([^`]*)`|([^\s"`]+)/g;
const PLACE = /\{(\d{1,2})\}/g;
const TAG_END = /[>%]\}\}/g;
const BLOCK_ATTRIBUTES = /\{(?<=^[ \t>]*\{)[ \t]*[.#][^{}\n]*\}[ \t]*$/gm;
const SHORTCODE = /\{\{([<%])\s*(\/?)\s*([\w/.-]{1,200})/g;
const GROUPS: ReadonlySet<string> = new Set(["tabs", "tabpane", "tabset", "code-tabs"]);
const TAB: ReadonlySet<string> = new Set(["tab", "tabitem", "code-tab"]);
/** A piece of code is one character of private use and a number. */
const MARK = /[\uE000-\uF8FF]/;
const KINDS: ReadonlySet<string> = new Set([
  "note",
  "tip",
  "warning",
  "info",
  "danger",
  "caution",
  "important",
]);

/** What a text of Hugo uses of its site. */
export interface HugoNames {
  /** The front matter and the parameters of the site, whose plain values stand for `{{< param name >}}`. */
  readonly params: readonly Readonly<Record<string, unknown>>[];
  /** The address of what `{{< ref "name" >}}` means. */
  refer(target: string): string;
}

/** The text with Markdown for known shortcodes. */
export function hugoText(
  written: string,
  { params, refer }: HugoNames,
): { text: string; notes: string[] } {
  const names = new Set<string>();
  const texts = new Set<string>();
  const kept = new Set<string>();
  const addresses = new Set<string>();
  const body = written.replaceAll(
    PARAM,
    (whole, mark: string, args: string) => parameter(params, args, mark !== "") ?? whole,
  );
  const listed = replaceMarks(body, HIGHLIGHT, (opening, find) => {
    const content = findContent(body, opening, "highlight", find);
    if (content === null) return null;
    const code = content.inner.replace(/^\n/, "").replace(/\n$/, "");
    return { text: fencedCode(opening[1] ?? "", code), end: content.end };
  });
  const text = outsideCode(listed, (part) => {
    const known = withoutPairs(translateKnown(titledAlerts(withoutAttributes(part)), refer), kept);
    const { text: plain, tags } = withoutComputedAddresses(known);
    for (const tag of tags) addresses.add(tag);
    const marked = replaceMarks(plain, OTHER, ({ index, 1: name = "" }, find) => {
      const end = find(TAG_END, index)?.end;
      if (end === undefined) return null;
      if (isInComment(plain, index)) return { text: plain.slice(index, end), end };
      const comment = templateComment(plain, index, end);
      (comment === null ? texts : names).add(name.replace(/^\//, ""));
      // A space would end the address of a definition, and all definitions after it.
      return { text: comment ?? plain.slice(index, end).replaceAll(/\s/g, "%20"), end };
    });
    return commentsLast(marked);
  });
  const notes = [
    ...[...texts].map((name) => `shortcode {{< ${name} >}} stays as text`),
    ...[...names].map((name) => `shortcode {{< ${name} >}} stays as a comment`),
    ...[...addresses].map(computedAddressNote),
    ...[...kept].map((name) => `shortcode {{< ${name} >}} was left out, its content stays`),
  ];
  return { text, notes };
}

/** The text without classes of headings and blocks; ids of headings stay. */
function withoutAttributes(text: string): string {
  return headingAttributes(text).replaceAll(BLOCK_ATTRIBUTES, listAnchor);
}

/** A shortcode that is open at a place of a text. */
interface OpenShortcode {
  readonly name: string;
  /** `<` or `%`. */
  readonly sign: string;
  readonly tag: string;
  readonly args: string;
  readonly tabs: { readonly title: string; readonly lines: readonly string[] }[];
  text: string;
}

/**
 * The text without shortcodes that have an end: tabs and details become those of this project, of any other one the
 * content stays. `kept` gets the names of the latter.
 */
function withoutPairs(text: string, kept: Set<string>): string {
  const find = finderIn(text);
  const tags = [...text.matchAll(SHORTCODE)];
  const ended = new Set(tags.filter(([, , slash]) => slash !== "").map(([, , , name]) => name));
  const root: OpenShortcode = { name: "", sign: "", tag: "", args: "", tabs: [], text: "" };
  const open: OpenShortcode[] = [root];
  const counts = new Map<string, number>();
  const top = (): OpenShortcode => open.at(-1) ?? root;
  const pop = (): OpenShortcode => {
    const shortcode = open.pop() ?? root;
    counts.set(shortcode.name, (counts.get(shortcode.name) ?? 1) - 1);
    return shortcode;
  };
  /** Ends the innermost one without its end: it stays as text. */
  const abandon = (): void => {
    const { tag, text: inner } = pop();
    top().text += tag + inner;
  };
  let done = 0;
  for (const { index, 0: head, 1: sign = "", 2: slash, 3: name = "" } of tags) {
    const close = index < done || !ended.has(name) ? null : find(TAG_END, index + head.length);
    if (close === null) continue;
    const args = text.slice(index + head.length, close.start);
    top().text += text.slice(done, index);
    done = close.end;
    const tag = text.slice(index, done);
    if (slash === "" && args.trimEnd().endsWith("/")) top().text += tag;
    else if (slash === "") {
      open.push({ name, sign, tag, args, tabs: [], text: "" });
      counts.set(name, (counts.get(name) ?? 0) + 1);
    } else if ((counts.get(name) ?? 0) === 0) top().text += tag;
    else {
      while (top().name !== name) abandon();
      endShortcode(pop(), top(), kept);
    }
  }
  top().text += text.slice(done);
  while (open.length > 1) abandon();
  return root.text;
}

/** Adds what becomes of a shortcode to the one around it. */
function endShortcode(shortcode: OpenShortcode, above: OpenShortcode, kept: Set<string>): void {
  const { name, args, tabs, text } = shortcode;
  const lines = dedented(text.split("\n"));
  if (TAB.has(name) && GROUPS.has(above.name)) {
    above.tabs.push(tabOf(shortcode, above, lines));
    return;
  }
  const indent = /(?:^|\n)([ \t]*)$/.exec(above.text.slice(-100))?.[1];
  const isNotice = NOTICE.test(name) && indent !== undefined && !args.includes("\n");
  const shown = isNotice
    ? containerLines({ ...notice(name, args), lines })
    : pairedLines(shortcode, lines);
  if (shown === null) kept.add(name);
  const result = shown ?? (text.includes("\n") ? lines : [text]);
  above.text += result
    .map((line, at) => (at === 0 || line === "" ? line : (indent ?? "") + line))
    .join("\n");
  if (tabs.length > 0 && shown === null) above.text += `\n${tabLines(tabs).join("\n")}`;
}

/** A tab of a group; one of Docsy has code, unless it says that it has text. */
function tabOf(
  { sign, args, text }: OpenShortcode,
  group: OpenShortcode,
  lines: readonly string[],
): OpenShortcode["tabs"][number] {
  const isCode = sign === "<" && group.name !== "tabs" && !/\btext=/.test(group.args + args);
  const title = valueIn(args, ["header", "name", "title", "label", "tabName"]);
  const lang = valueIn(`${args} ${group.args}`, ["lang", "language"], "");
  const code = lines.join("\n").replaceAll(/^\n+|(?<!\s)\s+$/g, "");
  return {
    title,
    lines: isCode && !MARK.test(text) ? fencedCode(lang, code).split("\n") : lines,
  };
}

/** The lines of a shortcode that has a counterpart; null for any other one. */
function pairedLines({ name, args, tabs, text }: OpenShortcode, lines: string[]): string[] | null {
  if (GROUPS.has(name) && tabs.length > 0) return tabLines(tabs);
  if (/^(?:details|expand|collapse|spoiler)$/.test(name)) {
    const title = valueIn(args, ["summary", "title"]);
    return containerLines({ name: "details", title, lines, isOpen: /\bopen=["']?true/.test(args) });
  }
  const lang = valueIn(args, ["lang", "language"], "");
  const isCode = (lang !== "" || /code|highlight/i.test(name)) && !MARK.test(text);
  return isCode
    ? fencedCode(lang, lines.join("\n").replaceAll(/^\n+|(?<!\s)\s+$/g, "")).split("\n")
    : null;
}

/** The value of the first of the names that a shortcode has; without them its first value without a name. */
function valueIn(args: string, names: readonly string[], otherwise?: string): string {
  for (const name of names) {
    const [, double, back, bare] =
      new RegExp(`(?:^|\\s)${name}\\s*=\\s*(?:"([^"]*)"|\`([^\`]*)\`|([^\\s"\`]+))`).exec(args) ??
      [];
    const value = double ?? back ?? bare;
    if (value !== undefined) return value;
  }
  if (otherwise !== undefined) return otherwise;
  return (
    /^\s*(?:"([^"]*)"|`([^`]*)`)/
      .exec(args)
      ?.slice(1)
      .find((one) => one !== undefined) ?? ""
  );
}

/**
 * The value of the parameter that the first argument names; null without one. `isFilled`: the arguments stand for `{0}`,
 * `{1}` … in it, and all of them must be there.
 */
function parameter(
  params: readonly Readonly<Record<string, unknown>>[],
  args: string,
  isFilled: boolean,
): string | null {
  const values = [...args.matchAll(ARGUMENT)].map(
    ([, double, back, bare]) => double ?? back ?? bare ?? "",
  );
  const value = valueOf(params, values[0] ?? "");
  if (value === null || !isFilled) return value;
  const places = [...value.matchAll(PLACE)].map(([, at]) => Number(at));
  if (places.some((at) => at >= values.length)) return null;
  return value.replaceAll(PLACE, (_, at: string) => values[Number(at)] ?? "");
}

/** The plain value of a parameter, in the first map that has it; names are found in any case. */
function valueOf(
  params: readonly Readonly<Record<string, unknown>>[],
  path: string,
): string | null {
  for (const map of params) {
    let value: unknown = map;
    for (const name of path.toLowerCase().split(".")) {
      const entry = isRecord(value)
        ? Object.entries(value).find(([key]) => key.toLowerCase() === name)
        : undefined;
      value = entry?.[1];
    }
    if (typeof value === "string" || typeof value === "number") return String(value);
  }
  return null;
}

/** Markdown for the shortcodes that have a counterpart. */
function translateKnown(text: string, refer: HugoNames["refer"]): string {
  let result = replaceTags(text, REFERENCE, (args) => {
    const target = reference(args);
    return target === null ? null : refer(target);
  });
  result = replaceTags(result, FIGURE, figure);
  result = replaceTags(result, PLAYER, (_, [, kind = "", id = ""]) => player(kind, id));
  return result.replaceAll(/<!--\s*more\s*-->\n?/gi, "");
}

/** Replaces shortcodes without content. `args`: the text after the opening; null leaves a shortcode. */
function replaceTags(
  text: string,
  opening: RegExp,
  replace: (args: string, opening: RegExpExecArray) => string | null,
): string {
  return replaceMarks(text, opening, (match, find) => {
    const from = match.index + match[0].length;
    const close = find(TAG_END, from);
    if (close === null) return null;
    const end = close.end;
    const replaced = replace(text.slice(from, close.start), match);
    return { text: replaced ?? text.slice(match.index, end), end };
  });
}

/** The arguments and the content of a shortcode; null without its end. */
function findContent(
  text: string,
  { index, 0: head }: RegExpExecArray,
  name: string,
  find: Find,
): { args: string; inner: string; end: number } | null {
  const ending = new RegExp(`\\{\\{[<%]\\s*/\\s*${name}\\s*[>%]\\}\\}`, "g");
  if (find(ending, index) === null) return null;
  const close = find(TAG_END, index + head.length);
  const end = close === null ? null : find(ending, close.end);
  if (close === null || end === null) return null;
  const args = text.slice(index + head.length, close.start);
  return { args, inner: text.slice(close.end, end.start), end: end.end };
}

function reference(args: string): string | null {
  const [, double, back, bare] = /^\s*(?:"([^"]*)"|`([^`]*)`|([^\s>%]+))/.exec(args) ?? [];
  return double ?? back ?? bare ?? null;
}

function figure(args: string): string | null {
  const values = new Map(
    [...args.matchAll(/(?<![\w-])([\w-]+)\s*=\s*(?:"([^"]*)"|`([^`]*)`)/g)].map(
      ([, key = "", one, two]) => [key, one ?? two ?? ""],
    ),
  );
  const src = values.get("src");
  if (src === undefined) return null;
  const caption = (values.get("caption") ?? values.get("title") ?? "")
    .replaceAll('"', "'")
    .replaceAll(/\s+/g, " ");
  const alt = (values.get("alt") ?? "").replaceAll(/[[\]]/g, "");
  const address = /\s/.test(src) ? `<${src}>` : src;
  return `![${alt}](${address}${caption === "" ? "" : ` "${caption}"`})`;
}

function player(kind: string, id: string): string {
  const src =
    kind === "vimeo" ? `https://vimeo.com/${id}` : `https://www.youtube.com/watch?v=${id}`;
  return `\n${embedAddress(src) ?? src}\n`;
}

/** The kind and the title of a notice. */
function notice(name: string, args: string): { name: string; title: string } {
  const words = args.toLowerCase().match(/[a-z]+/g) ?? [];
  const kind = KINDS.has(name) ? name : (words.find((word) => KINDS.has(word)) ?? "note");
  return { name: kind, title: /title\s*=\s*"([^"\n]*)"/.exec(args)?.[1] ?? "" };
}
