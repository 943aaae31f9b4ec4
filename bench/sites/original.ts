/** What the original site answered, as far as the files of its source say. */
import { readFile } from "node:fs/promises";
import { join, posix } from "node:path";
import { hostRedirects } from "../../plugins/import/sources/files/host-redirects.js";
import type { DeadTarget } from "./crawl.js";
import type { PublicSite } from "./list.js";

/** Files that may be pages. */
export const TEXT = /\.(?:md|mdx|markdown|html?|njk|txt)$/i;

/** What the original site answered, as far as its source says. */
export interface Original {
  readonly files: readonly string[];
  /**
   * True when a target worked there, or may have: the source has a file of its last name, whatever its ending and
   * folder; or a page, a template or a component of that address has a line in the report; or a redirect of the host
   * covers it. Addresses of other sites are not of this one.
   */
  has(target: string): boolean;
  /** True for a text that the source shows as it is: its marks are escaped there, or it names a link that no file defines. */
  shows(text: string): boolean;
}

/** Reads the source. `behind`: targets of links to what stays behind with a line. */
export async function originalOf(
  { outside, made }: PublicSite,
  folder: string,
  files: readonly string[],
  behind: ReadonlySet<string>,
): Promise<Original> {
  const found = names(files).last;
  const bare = new Set([...found].map((name) => name.replace(/\.\w{1,10}$/, "")));
  const hosts: string[] = [];
  const rules = await hostRedirects(folder, files, hosts);
  const moved = rules.flatMap((one) => (one.kind === "redirect" ? [one.from] : []));
  const texts = await Promise.all(
    files
      .filter((file) => TEXT.test(file))
      .map((file) => readFile(join(folder, file), "utf8").catch(() => "")),
  );
  const all = texts.join("\n");
  const config = await readFile(join(folder, "mkdocs.yml"), "utf8").catch(() => "");
  // Program code defines labels of mkdocstrings.
  const isDefined = /mkdocstrings|autorefs/.test(config) ? () => true : definitionsIn(all);
  // Vue shows the content of such an element as it is.
  const verbatim = [...all.matchAll(/\sv-pre\b[^<>]{0,200}>([^<>]{0,500})/g)].map(
    ([, one = ""]) => one,
  );
  return {
    files,
    has: (target) => {
      const path = decoded(target.replace(/^https?:\/\/[^/]+/, "").replace(/[?#].*$/s, ""));
      if (outside?.test(path) === true || path === "") return false;
      if (made?.test(path) === true) return true;
      const name = lastName(target);
      if (name === "" || found.has(name) || bare.has(name) || behind.has(target)) return true;
      const plain = path.replace(/(?<=.)\/$/, "");
      return moved.some((from) =>
        from.endsWith("/*")
          ? plain.startsWith(from.slice(0, -1))
          : from.replace(/(?<=.)\/$/, "") === plain,
      );
    },
    shows: (text) => {
      if (verbatim.some((one) => one.includes(text))) return true;
      const label = /^\[[^\]]*\]\[([^\]]+)\]$/.exec(text)?.[1];
      if (label !== undefined && !isDefined(label)) return true;
      const escaped = [`\\${text}`, text.replaceAll("<", "&lt;").replaceAll(">", "&gt;")];
      return (
        escaped.some((one) => one !== text && all.includes(one)) ||
        (all.includes(text.replace("<", "\\<")) && text.includes("<"))
      );
    },
  };
}

/** Says whether a text defines the label of a link: `[text][label]` is text without a definition. */
function definitionsIn(texts: string): (label: string) => boolean {
  const labels = new Set(
    [...texts.matchAll(/^[ \t>]{0,20}\[([^\]\n]{1,300})\]:/gm)].map(([, label = ""]) =>
      label.trim().toLowerCase(),
    ),
  );
  return (label) => labels.has(label.trim().toLowerCase());
}

/** The last name of a target, without its ending. */
function lastName(target: string): string {
  const path = decoded(target.replace(/^https?:\/\/[^/]+/, "").replace(/[?#].*$/s, ""));
  return plainName(path.replace(/\/(?:index(?:\.\w+)?)?$/, ""));
}

/**
 * True when the source has a file that the target may name: by its last two names, in any case, without numbers and
 * endings. The page is a file of the source or an address; a language that has no folder in the source is another site.
 */
export function isInSource(
  { page, target }: Pick<DeadTarget, "page" | "target">,
  files: readonly string[],
): boolean {
  const path = decoded(target.replace(/^https?:\/\/[^/]+/, "").replace(/[?#].*$/s, ""));
  const { last, pairs } = names(files);
  const [first = ""] = path.split("/").filter((part) => part !== "");
  if (path.startsWith("/") && /^[a-z]{2}(?:-[a-z]{2,4})?$/i.test(first) && !last.has(first))
    return false;
  const starts = path.startsWith("/")
    ? [path]
    : ["..", "."]
        .map((above) => posix.join("/", page, above, path))
        .concat(posix.join("/", page, path));
  return starts.some((start) => {
    const [one = "", two = ""] = start
      .replace(/\/(?:index(?:\.\w+)?)?$/, "")
      .split("/")
      .reverse()
      .map(plainName);
    if (one === "") return true;
    return two === "" ? last.has(one) : pairs.has(`${two}/${one}`);
  });
}

/** True when a file of the source that the page may come from has the heading or the id. */
export async function hasAnchor(
  { page, target }: DeadTarget,
  folder: string,
  files: readonly string[],
): Promise<boolean> {
  const [path = "", anchor = ""] = decoded(target).split("#");
  const name = plainName((path === "" ? decoded(page) : path).replace(/\/$/, ""));
  const wanted = folded(anchor);
  const there = files.filter(
    (file) =>
      TEXT.test(file) &&
      (plainName(file) === name ||
        (/^(?:_?index|readme)$/.test(plainName(file)) && plainName(posix.dirname(file)) === name)),
  );
  for (const file of there) {
    const text = await readFile(join(folder, file), "utf8").catch(() => "");
    const ids = [...text.matchAll(/\{:?\s*#([^\s}]+)|\b(?:id|name)=["']([^"']+)["']/g)];
    const headings = [...text.matchAll(/^[ \t>]*#{1,6}[ \t]+(.+)$|^(.+)\n(?:=+|-+)[ \t]*$/gm)];
    if ([...ids, ...headings].some(([, one, two]) => folded(one ?? two ?? "") === wanted))
      return true;
  }
  return false;
}

/** Letters and digits of a heading or an anchor. */
function folded(text: string): string {
  return text
    .replace(/\{[#:.][^}]*\}\s*$/, "")
    .replaceAll(/\]\([^()]*\)/g, "")
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}]+/gu, "");
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/** The names of files, and those with the name of the folder before them. */
interface Names {
  readonly last: ReadonlySet<string>;
  readonly pairs: ReadonlySet<string>;
}
const nameSets = new WeakMap<readonly string[], Names>();
function names(files: readonly string[]): Names {
  const known = nameSets.get(files) ?? {
    last: new Set(files.map(plainName)),
    pairs: new Set(files.map((file) => `${plainName(posix.dirname(file))}/${plainName(file)}`)),
  };
  nameSets.set(files, known);
  return known;
}

function plainName(path: string): string {
  const base = posix.basename(path).toLowerCase();
  const bare = base.replace(/\.(?:md|mdx|markdown|html?|njk)$/, "");
  return bare.replace(/^(?:\d{4}-\d{2}-\d{2}-|\d{1,3}[.-])/, "");
}
