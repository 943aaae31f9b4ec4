/** Obsidian: the folder of a vault. */
import { replaceMarks } from "#lib/text";
import { readConfigFile } from "../source-files.js";
import {
  listOf,
  parseJsonMap,
  parsePosition,
  parseWords,
  readImage,
  readMatter,
  text,
} from "./front-matter.js";
import { wikiKey } from "../../plan/address-key.js";
import {
  folderSource,
  type FolderRules,
  type PageFile,
  type PlacedPage,
  isIn,
  toAddress,
  toSlugAddress,
} from "./folder-source.js";
import { obsidianMarks } from "../includes/include-marks.js";
import { containerLines } from "../../text/containers.js";
import { hideCode, outsideCode } from "../../text/hidden-code.js";

const MARKER = /^(>[ \t]*)\[!([\w-]+)\][+-]?[ \t]*([^\n]*)$/gm;
const COMMENT = /%%[^]*?%%/g;
const BLOCK_ID = /(?<![ \t])[ \t]+\^[\w-]+[ \t]*$/gm;
const HOME = /^(?:index|home|readme|start)\.md$/i;
const KINDS: Readonly<Record<string, string>> = {
  tip: "TIP",
  hint: "TIP",
  success: "TIP",
  check: "TIP",
  done: "TIP",
  important: "IMPORTANT",
  warning: "WARNING",
  attention: "WARNING",
  caution: "CAUTION",
  danger: "CAUTION",
  error: "CAUTION",
  bug: "CAUTION",
  failure: "CAUTION",
  fail: "CAUTION",
  missing: "CAUTION",
};

/** The first line of a callout that can be folded: `> [!note]- Title`. */
const FOLDED = /^>[ \t]*\[!([\w-]{1,60})\]([+-])[ \t]*(.*)$/;
/** A tag in the text: `#sea`, `#sea/deep`, which is no number. */
const TAG = /(?<![^\s(>])#([\p{L}\p{N}_/-]*[\p{L}_][\p{L}\p{N}_/-]*)(?![\p{L}\p{N}#])/gu;
const TEMPLATES = /^_?templates?\//i;

/** The source `obsidian`. */
export const obsidian = folderSource("the folder of a vault", async ({ root, paths }) => {
  const home = paths.find((path) => HOME.test(path));
  const templates = await templateFolder(root);
  const rules: FolderRules = {
    extensions: [".md"],
    linksByName: true,
    isIgnored: () => false,
    isPage: (path) => path.endsWith(".md"),
    lostPage: (path) => lostFile(path, templates),
    read: withTags,
    place: (page) => place(page, home),
    addressOf: () => null,
    includes: obsidianMarks,
    transform: (body) => {
      const { text: shown, notes } = withoutViews(body);
      return { text: vaultText(shown), notes };
    },
  };
  return rules;
});

/** The folder that the vault has for templates; null when its settings name none. */
async function templateFolder(root: string): Promise<string | null> {
  const settings = [
    { file: ".obsidian/templates.json", key: "folder" },
    { file: ".obsidian/plugins/templater-obsidian/data.json", key: "templates_folder" },
  ];
  for (const { file, key } of settings) {
    const parsed = parseJsonMap(await readConfigFile(root, file));
    const folder = "data" in parsed ? text(parsed.data[key]) : null;
    if (folder !== null) return folder.replaceAll(/^\/+|\/+$/g, "");
  }
  return null;
}

/** Views of a vault, which only its program shows. */
const VIEW = /\.(base|canvas)$/i;

/** An embed of a view: `![[Books.base#All]]`. */
const VIEW_EMBED =
  /!\[\[([^[\]|#\n]{1,300}\.(?:base|canvas))(?:#[^[\]|\n]{0,300})?(?:\|[^[\]\n]{0,300})?\]\]/gi;

/** The text with a comment for each embed of a view: it shows what its program computes. */
function withoutViews(body: string): { text: string; notes: string[] } {
  const notes = new Set<string>();
  const text = outsideCode(body, (part) =>
    part.replaceAll(VIEW_EMBED, (embed, name: string) => {
      notes.add(`the view ${JSON.stringify(name)} is computed and stays as a comment`);
      return `<!-- ${embed.replaceAll("--", "- -")} -->`;
    }),
  );
  return { text, notes: [...notes] };
}

/** The image of a note, which may be a wiki link; null for any other value. */
function wikiImage(data: PageFile["data"]): string | null {
  const image = readImage(data) ?? "";
  const name = /^!?\[\[([^[\]|#\n]{1,300})(?:[|#][^[\]\n]*)?\]\]$/.exec(image)?.[1];
  return name === undefined ? null : wikiKey(name);
}

/** Why a file stays behind; null for any other one. */
function lostFile(path: string, templates: string | null): string | null {
  const view = VIEW.exec(path)?.[1];
  if (view !== undefined) return `files of type ${JSON.stringify(view)} are not media`;
  if (!path.endsWith(".md")) return null;
  const isTemplate = templates === null ? TEMPLATES.test(path) : isIn(path, templates);
  return isTemplate ? "a template for new notes" : null;
}

/** The note with the tags of its text beside those of its front matter; null for front matter that cannot be read. */
function withTags(source: string): { data: Record<string, unknown>; body: string } | null {
  const matter = readMatter(source);
  if ("issue" in matter) return null;
  const { tags, tag } = matter.data;
  const own = parseWords(tags ?? tag).map((one) => one.replace(/^#/, ""));
  const all = [...new Set([...own, ...tagsIn(matter.body)])];
  return { body: matter.body, data: { ...matter.data, ...(all.length > 0 && { tags: all }) } };
}

/** The tags of a text, outside of code, headings, comments and links. */
function tagsIn(body: string): string[] {
  const { text: plain } = hideCode(body.replaceAll(COMMENT, ""));
  const prose = plain
    .replaceAll(/^[ \t>]*#{1,6}[ \t][^\n]*$/gm, "")
    .replaceAll(/\[\[[^[\]\n]*\]\]|\]\([^()\n]*\)|<[^<>\n]*>/g, "");
  return [...prose.matchAll(TAG)].map(([, name = ""]) => name.replace(/(?<!\/)\/+$/, ""));
}

function place({ path, data }: PageFile, home: string | undefined): PlacedPage {
  const bare = path.replace(/\.md$/, "");
  const aliases = listOf(data["aliases"] ?? data["alias"]).map((one) => wikiKey(one));
  return {
    route: path === home ? "/" : toSlugAddress(bare),
    template: "default",
    position: parsePosition(data["order"]) || null,
    wikiLinks: true,
    image: wikiImage(data),
    // The address of a published vault.
    addresses: [toAddress(bare.replaceAll(" ", "+")), ...permalinks(data), ...aliases],
    matter: { title: data["title"] ?? bare.split("/").at(-1) },
  };
}

/** The address that a published vault gives a note beside its path. */
function permalinks(data: PageFile["data"]): string[] {
  const permalink = text(data["permalink"]);
  return permalink === null ? [] : [toAddress(permalink)];
}

function vaultText(body: string): string {
  return outsideCode(body, (part) =>
    replaceMarks(
      foldedCallouts(part).replaceAll(COMMENT, "").replaceAll(BLOCK_ID, ""),
      MARKER,
      (match) => {
        const [whole, quote = "", kind = "", title = ""] = match;
        const marker = `${quote}[!${KINDS[kind.toLowerCase()] ?? "NOTE"}]`;
        const text = title.trim() === "" ? marker : `${marker}\n${quote}**${title.trim()}**`;
        return { text, end: match.index + whole.length };
      },
    ),
  );
}

/** The text, whose code is hidden, with callouts that can be folded as `details`, which are open where the note says so. */
function foldedCallouts(body: string): string {
  const result: string[] = [];
  const lines = body.split("\n");
  for (let at = 0; at < lines.length; at += 1) {
    const line = lines[at] ?? "";
    const callout = FOLDED.exec(line);
    if (callout === null) result.push(line);
    else {
      let end = at + 1;
      while (lines[end]?.startsWith(">") === true) end += 1;
      const inside = lines.slice(at + 1, end);
      result.push(...detailsOf(callout, inside));
      at += inside.length;
    }
  }
  return result.join("\n");
}

/** The container for a callout with its lines, which begin with `>`. */
function detailsOf([, kind = "", sign, title = ""]: RegExpExecArray, quoted: string[]): string[] {
  const text = quoted.map((line) => line.replace(/^>[ \t]?/, "")).join("\n");
  return containerLines({
    name: "details",
    title: title.trim() === "" ? kind.charAt(0).toUpperCase() + kind.slice(1) : title.trim(),
    lines: foldedCallouts(text).split("\n"),
    isOpen: sign === "+",
  });
}
