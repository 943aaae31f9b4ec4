/** Obsidian: the folder of a vault. */
import { replaceMarks } from "#lib/text";
import { listOf, parsePosition, text } from "./front-matter.js";
import { wikiKey } from "../../plan/address-key.js";
import {
  folderSource,
  type FolderRules,
  type PageFile,
  type PlacedPage,
  toAddress,
  toSlugAddress,
} from "./folder-source.js";
import { obsidianMarks } from "../includes/include-marks.js";
import { outsideCode } from "../../text/hidden-code.js";

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

/** The source `obsidian`. */
export const obsidian = folderSource("the folder of a vault", ({ paths }) => {
  const home = paths.find((path) => HOME.test(path));
  const rules: FolderRules = {
    extensions: [".md"],
    isIgnored: () => false,
    isPage: (path) => path.endsWith(".md"),
    place: (page) => place(page, home),
    addressOf: () => null,
    includes: obsidianMarks,
    transform: (body) => ({ text: vaultText(body), notes: [] }),
  };
  return Promise.resolve(rules);
});

function place({ path, data }: PageFile, home: string | undefined): PlacedPage {
  const bare = path.replace(/\.md$/, "");
  const aliases = listOf(data["aliases"] ?? data["alias"]).map((one) => wikiKey(one));
  return {
    route: path === home ? "/" : toSlugAddress(bare),
    template: "default",
    position: parsePosition(data["order"]) || null,
    wikiLinks: true,
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
    replaceMarks(part.replaceAll(COMMENT, "").replaceAll(BLOCK_ID, ""), MARKER, (match) => {
      const [whole, quote = "", kind = "", title = ""] = match;
      const marker = `${quote}[!${KINDS[kind.toLowerCase()] ?? "NOTE"}]`;
      const text = title.trim() === "" ? marker : `${marker}\n${quote}**${title.trim()}**`;
      return { text, end: match.index + whole.length };
    }),
  );
}
