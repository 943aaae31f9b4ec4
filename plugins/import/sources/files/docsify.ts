/** docsify: a folder of Markdown with an `index.html` that sets `$docsify`. */
import { posix } from "node:path";
import { type AnyNode, parseExpressionAt } from "acorn";
import { isRecord } from "#kernel";
import { replaceMarks } from "#lib/text";
import type { ImportItem } from "../../contract.js";
import { decoded } from "../../plan/address-key.js";
import { docsifyMarks } from "../includes/include-marks.js";
import { docsifySidebar } from "../sidebar/list-sidebars.js";
import { readConfigFile } from "../source-files.js";
import { tabLines } from "../../text/containers.js";
import { outsideCode } from "../../text/hidden-code.js";
import { withoutComputed } from "../vitepress/vue-text.js";
import { text } from "./front-matter.js";
import { sentences } from "./landing-matter.js";
import {
  folderSource,
  type FolderRules,
  type PageFile,
  pathOfPage,
  type PlacedPage,
  toAddress,
} from "./folder-source.js";

const PAGE = /\.(?:md|markdown)$/i;
/** Parts around the pages; others that begin with a line are pages. */
const PART = /(?:^|\/)_(?:sidebar|navbar|coverpage|404|footer)\.md$/i;
const READ_KEYS: ReadonlySet<string> = new Set(
  "el name nameLink repo basePath homepage alias relativePath loadSidebar loadNavbar coverpage onlyCover subMaxLevel maxLevel auto2top autoHeader routerMode ext noEmoji search executeScript mergeNavbar logo themeColor topMargin loadFooter hideSidebar keyBindings pagination tabs copyCode formatUpdated externalLinkTarget externalLinkRel notFoundPage fallbackLanguages noCompileLinks cornerExternalLinkTarget corsFetch requestHeaders nativeEmoji sidebarDisplayLevel skipLink vueComponents vueGlobalOptions vueMounts markdown plugins".split(
    " ",
  ),
);

type Data = Readonly<Record<string, unknown>>;

/** The source `docsify`. */
export const docsify = folderSource(
  "a folder of Markdown with the index.html of docsify",
  async ({ root, paths }) => {
    const { file, config } = await findConfig(root, paths);
    const above = file === null ? "" : file.slice(0, -"index.html".length);
    const base = text(config["basePath"]) ?? "";
    const isElsewhere = /^(?:https?:)?\/\//.test(base);
    const pages = isElsewhere ? above : posix.join(above, base, "/").replace(/^(?:\.?\/)+/, "");
    const home = (text(config["homepage"]) ?? "README.md").replace(/^\.?\//, "");
    const cover = await readConfigFile(root, `${pages}_coverpage.md`);
    const below = (path: string): string => path.slice(pages.length);
    const known = new Set(paths);
    const rules: FolderRules = {
      linkRoots: pages === "" ? [] : [pages.replace(/\/$/, "")],
      extensions: [".md"],
      isIgnored: (path) =>
        !path.startsWith(pages) ||
        path === file ||
        /(?:^|\/)_(?:sidebar|coverpage)\.md$/i.test(path) ||
        /^(?:package(?:-lock)?\.json|LICENSE|CNAME)$/.test(path),
      isPage: (path) => PAGE.test(path),
      lostPage: (path) => {
        if (PART.test(path)) return "a part around pages, which the theme has here";
        return /\.(?:js|css|html)$/i.test(path)
          ? "code of the site, which has no counterpart"
          : null;
      },
      place: (page) => place(page, below(page.path), home, cover),
      addressOf: (path) => toAddress(below(path)),
      transform: (body, { path }) =>
        docsifyText(
          body,
          (target) => {
            const isRelative = config["relativePath"] === true;
            // A relative link starts at the top of the site, unless only the file beside the page exists.
            const fromTop = posix.join(pages, target);
            const isThere = [fromTop, `${fromTop}.md`, `${fromTop}/README.md`].some((one) =>
              known.has(posix.normalize(one)),
            );
            return isRelative || !isThere ? null : `/${posix.normalize(target)}`;
          },
          posix.basename(path),
        ),
      site: { title: text(config["name"]) },
      includes: docsifyMarks,
      sidebar: await docsifySidebar({ root, paths, folder: pages.replace(/\/$/, "") }),
      extra: () => extra(config, file),
    };
    return rules;
  },
);

async function findConfig(
  root: string,
  paths: readonly string[],
): Promise<{ file: string | null; config: Data }> {
  const candidates = paths
    .filter((path) => posix.basename(path) === "index.html")
    .toSorted((a, b) => a.length - b.length)
    .slice(0, 20);
  for (const file of candidates) {
    const source = await readConfigFile(root, file);
    const start = /\$docsify\s*=\s*(?=\{)/.exec(source);
    if (start !== null) return { file, config: literalAt(source, start.index + start[0].length) };
    if (/docsify/i.test(source)) return { file, config: {} };
  }
  return { file: null, config: {} };
}

/** The map of a literal in a script, without what is computed. */
function literalAt(source: string, at: number): Data {
  try {
    // The end tag of the script would be read as an operator.
    const script = source.slice(at).replace(/<\/script[^]*/i, "");
    const value = literal(parseExpressionAt(script, 0, { ecmaVersion: "latest" }), 0);
    return isRecord(value) ? value : {};
  } catch {
    return {};
  }
}

function literal(node: AnyNode, depth: number): unknown {
  if (depth > 20) return undefined;
  if (node.type === "Literal") return node.regex ? undefined : node.value;
  if (node.type === "TemplateLiteral" && node.expressions.length === 0)
    return node.quasis.map(({ value }) => value.cooked).join("");
  if (node.type === "ArrayExpression")
    return node.elements.flatMap((one) => (one === null ? [] : [literal(one, depth + 1)]));
  if (node.type !== "ObjectExpression") return undefined;
  return Object.fromEntries(
    node.properties.flatMap((one) => {
      if (one.type !== "Property" || one.computed) return [];
      const key = one.key.type === "Identifier" ? one.key.name : literal(one.key, depth + 1);
      return [[String(key), literal(one.value, depth + 1)] as const];
    }),
  );
}

function place({ path }: PageFile, below: string, home: string, cover: string): PlacedPage {
  const isHome = below === home;
  const route = isHome ? "/" : toAddress(pathOfPage(below));
  return {
    route,
    template: "docs",
    position: null,
    addresses: [route],
    answersAtFolder: pathOfPage(path) !== path.replace(PAGE, ""),
    ...(isHome && cover !== "" && coverOf(cover)),
  };
}

/** The cover page as the top of a landing page: its heading, its quote or first text, and its lines of links. */
function coverOf(cover: string): Partial<PlacedPage> {
  const plain = cover.replaceAll(/<!--(?:(?!<!--)[^])*?-->/g, "");
  const title = /^#[ \t]+([^\n]+)$/m.exec(plain)?.[1] ?? "Home";
  const all = plain.split("\n").map((line) => line.trim());
  const lines = all
    .filter((line) => line !== "" && !/^(?:#|!\[|\[)/.test(line))
    .map((line) => inlineText(line.replace(/^(?:>|[-*+])[ \t]*/, "")));
  const actions = all
    .filter((line) => line.startsWith("["))
    .flatMap((line) => [
      ...line.matchAll(/(?<!!)\[([^\]\n]{1,200})\]\(([^)\s]{1,500})[^)\n]{0,300}\)/g),
    ])
    .map(([, label = "", url = ""]) => ({ label: inlineText(label), url: hashLink(url) ?? url }));
  // `![color](#fff)` is the color of the background.
  const image = /!\[(?!color\])[^[\]\n]*\]\(([^()\s]+)/.exec(plain)?.[1];
  return {
    template: "landing",
    linkKeys: ["hero.actions.url"],
    ...(image !== undefined && { image }),
    matter: {
      title: inlineText(title),
      hero: { title: inlineText(title), text: sentences(lines), actions },
    },
  };
}

/** The words of a line, with the label of a link in place of it. */
function inlineText(written: string): string {
  return written
    .replaceAll(/(?<!!)\[([^[\]\n]{1,200})\]\([^()\n]{0,500}\)/g, "$1")
    .replaceAll(/<[^<>]{0,200}>/g, "")
    .replaceAll(/[*_`]/g, "")
    .trim();
}

function extra(config: Data, file: string | null): ImportItem[] {
  const origin = { file: file ?? "index.html" };
  const lost = (reason: string): ImportItem => ({ kind: "notImported", origin, reason });
  const aliases = Object.entries(isRecord(config["alias"]) ? config["alias"] : {}).flatMap(
    ([from, to]): ImportItem[] => {
      const target = text(to);
      if (/_(?:sidebar|navbar)/.test(from)) return [];
      if (target === null || /[.*+()[\]|$^]/.test(from.replace(/\.md$/, "")))
        return [lost(`the alias ${from} has no counterpart`)];
      return [
        {
          kind: "redirect",
          origin,
          from: from.replace(/\.md$/, ""),
          to: target.replace(/(?<=^\/.*)\.md$/, ""),
        },
      ];
    },
  );
  const base = text(config["basePath"]) ?? "";
  return [
    ...aliases,
    ...(/^(?:https?:)?\/\//.test(base)
      ? [lost(`basePath is ${base}: pages of another host are not imported`)]
      : []),
    ...Object.keys(config)
      .filter((key) => !READ_KEYS.has(key))
      .map((key) => lost(`the setting ${key} has no counterpart`)),
  ];
}

/** `?> text`, `!> text`, up to an empty line. */
const NOTICE = /^([ \t]*)([?!])>[ \t]?([^\n]*(?:\n(?![ \t]*\n|[ \t]*[?!]>)[^\n]+)*)/gm;
const ALERT =
  /^([ \t]*(?:>[ \t]*)+)\[!(note|tip|important|warning|caution|attention)\][ \t]+(\S[^\n]*)$/gim;
const IGNORE = /(?<![ \t])[ \t]*(?:<!--[ \t]*)?\{docsify-ignore(?:-all)?\}(?:[ \t]*-->)?/g;
const HEADING_ID = /^(#{1,6}[ \t][^\n]*?)[ \t]+:id=([\w-]+)[ \t]*$/gm;
const TABS = /<!--[ \t]*tabs:start[ \t]*-->/g;
const END_TABS = /<!--[ \t]*tabs:end[ \t]*-->/g;
const TAB_HEAD =
  /^[ \t]*(?:#{1,6}[ \t]+(?:\*\*|__)(.+?)(?:\*\*|__)|<!--[ \t]*tab:(.+?)[ \t]*-->)[ \t]*$/;
const LINK =
  /(!?)\[((?:[^\]\\\n]|\\.){0,1000})\]\(<?([^)\s>]{0,500})>?(?:[ \t]+(?:'([^'\n]*)'|"([^"\n]*)"))?\)/g;

/** An image with a size, alone on its line: the Markdown of the next line would be HTML. */
const SIZED = /^([ \t]*<img src=[^<>\n]+>[ \t]*)\n(?=[ \t]*[^\s<])/gm;

/** The text with Markdown for the extensions of docsify. `fromTop`: the address of a relative link from the top. */
function docsifyText(
  body: string,
  fromTop: (target: string) => string | null,
  name: string,
): { text: string; notes: string[] } {
  const notes = new Set<string>();
  const changed = outsideCode(body.replaceAll("\r\n", "\n"), (part) => {
    if (/<script\b/i.test(part)) notes.add("<script> has no effect");
    // Before the tabs: a notice ends with its paragraph, and a tab without an empty line.
    const noticed = part.replaceAll(NOTICE, (_, indent: string, sign: string, text: string) =>
      [
        `${indent}::: ${sign === "!" ? "warning" : "tip"}`,
        `${indent}${text.trim()}`,
        `${indent}:::`,
      ].join("\n"),
    );
    const grouped = replaceMarks(noticed, TABS, ({ index, 0: head }, find) => {
      const end = find(END_TABS, index + head.length);
      const tabs = end === null ? null : tabGroup(noticed.slice(index + head.length, end.start));
      return end === null || tabs === null ? null : { text: tabs, end: end.end };
    });
    return withoutComputed(grouped, notes)
      .replaceAll(IGNORE, "")
      .replaceAll(HEADING_ID, "$1 {#$2}")
      .replaceAll(ALERT, (_, quote: string, kind: string, first: string) => {
        const alert = kind.toLowerCase() === "attention" ? "IMPORTANT" : kind.toUpperCase();
        return `${quote}[!${alert}]\n${quote}${first}`;
      })
      .replaceAll(LINK, (_, ...groups: (string | undefined)[]) => {
        const [mark = "", label = "", target = "", one, two] = groups;
        return link({ mark, label, target, title: one ?? two ?? "" }, fromTop, notes, name);
      })
      .replaceAll(SIZED, "$1\n\n");
  });
  return { text: changed, notes: [...notes] };
}

interface Link {
  /** `!` for an image. */
  readonly mark: string;
  readonly label: string;
  readonly target: string;
  /** The title, with options such as `:size=100`. */
  readonly title: string;
}

function link(
  { mark, label, target, title }: Link,
  fromTop: (target: string) => string | null,
  notes: Set<string>,
  name: string,
): string {
  const options = new Map(
    [...title.matchAll(/(?:^|\s):([\w-]+)(?:=(\S+))?/g)].map(([, key = "", value = ""]) => [
      key,
      value,
    ]),
  );
  const shown = title.replaceAll(/(?:^|\s):[\w-]+(?:=\S+)?/g, "").trim();
  const words = shown === "" ? "" : ` "${shown.replaceAll('"', "'")}"`;
  if (mark === "!") {
    const size = sizeOf(options.get("size") ?? "");
    if (size === null) return `![${label}](${target}${words})`;
    return `<img src="${target}" alt="${label.replaceAll('"', "'")}" ${size}>`;
  }
  if (options.has("include"))
    notes.add(`the file ${JSON.stringify(target)} is linked, not included`);
  // `:ignore`: a file of the host, not a page.
  const address = options.has("ignore") ? target : pageAddress(target, fromTop, name);
  return `[${label}](${address}${words})`;
}

/** `50x100` and `50` as attributes; null for other sizes, such as parts of the width. */
function sizeOf(size: string): string | null {
  const [whole, width = "", height] = /^(\d{1,5})(?:x(\d{1,5}))?$/.exec(size) ?? [];
  if (whole === undefined) return null;
  return `width="${width}"${height === undefined ? "" : ` height="${height}"`}`;
}

/** The address of a link to a page. */
function pageAddress(
  target: string,
  fromTop: (target: string) => string | null,
  name: string,
): string {
  const hash = hashLink(target, name);
  const plain = hash ?? target;
  const isRelative = !/^(?:[a-z][a-z0-9+.-]*:|\/|#|\?|$)/i.test(plain);
  const [path, rest] = splitAddress(plain);
  const absolute = isRelative ? fromTop(decoded(path)) : null;
  return absolute === null ? plain : encodeURI(absolute) + rest;
}

/** `#/guide/x?id=part`, `x.md?id=part` and `?id=part` as addresses with an anchor; null for any other one. */
function hashLink(target: string, name = ""): string | null {
  if (/^[a-z][a-z0-9+.-]*:|^\/\//i.test(target)) return null;
  const isHash = target.startsWith("#/") || target.startsWith("/#/");
  const plain = isHash ? target.slice(target.indexOf("/", target.indexOf("#"))) : target;
  const [, path = "", id] = /^([^?#]*)\?(?:[^#]*&)?id=([^&#]*)/.exec(plain) ?? [];
  if (id === undefined) return isHash ? plain : null;
  if (path === "" && name !== "") return `#${id}`;
  return `${path}#${id}`;
}

function splitAddress(address: string): [path: string, rest: string] {
  const at = address.search(/[?#]/);
  return at === -1 ? [address, ""] : [address.slice(0, at), address.slice(at)];
}

/** A group of tabs; null when it has none. */
function tabGroup(inner: string): string | null {
  const tabs: { title: string; lines: string[] }[] = [];
  for (const line of inner.split("\n")) {
    const [head, one, two] = TAB_HEAD.exec(line) ?? [];
    if (head === undefined) tabs.at(-1)?.lines.push(line);
    else tabs.push({ title: one ?? two ?? "", lines: [] });
  }
  return tabs.length === 0 ? null : tabLines(tabs).join("\n");
}
