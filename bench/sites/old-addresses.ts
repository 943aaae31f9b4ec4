/** The addresses that a file of a source had on the original site. */
import { readFile } from "node:fs/promises";
import { join, posix } from "node:path";

/** Folders of pages, for systems whose addresses follow from the paths of files. */
const ROOTS: Readonly<Record<string, RegExp>> = {
  hugo: /^content\//,
  mkdocs: /^docs\//,
  docusaurus: /^(?:website\/)?(?=docs\/)/,
  jekyll: /^(?!_)/,
  grav: /^(?:user\/)?pages\//,
};

/** The old addresses of a file: those that its front matter names, and that of its path. */
export async function oldOf(how: string, folder: string, file: string): Promise<string[]> {
  const root = ROOTS[how];
  if (root === undefined || !root.test(file) || /(?:^|\/)_(?!index)/.test(file)) return [];
  const text = await readFile(join(folder, file), "utf8").catch(() => "");
  const matter = /^(?:---|\+\+\+)\r?\n([^]*?)\n(?:---|\+\+\+)/.exec(text)?.[1] ?? "";
  if (/^draft\s*[:=]\s*true|^published:\s*false/m.test(matter)) return [];
  const listed =
    /^(?:aliases|redirect_from)\s*[:=]\s*((?:\[[^\]]*\])|(?:\n\s*-[^\n]*)+|[^\n]+)/m.exec(
      matter,
    )?.[1] ?? "";
  const aliases = (listed.match(/[^\s,[\]"'-][^\s,[\]"']*/g) ?? []).filter((one) =>
    one.startsWith("/"),
  );
  const permalink = /^permalink:\s*["']?(\/[^\s"':{]*)["']?\s*$/m.exec(matter)?.[1];
  const hasOwn = /^(?:url|slug|permalink|id|routes)\s*[:=]/m.test(matter);
  const path = file
    .replace(root, "")
    .replace(how === "hugo" ? /^en\// : /^$/, "")
    .replace(/\.\w+$/, "");
  const bare = path.replace(/(?:^|\/)(?:_?index|README)$/i, "");
  const own =
    how === "grav"
      ? `/${posix
          .dirname(path)
          .replaceAll(/(?<=^|\/)\d+\./g, "")
          .replace(/^\.$/, "")}`
      : how === "jekyll"
        ? bare === path
          ? `/${path}.html`
          : `/${bare}${bare === "" ? "" : "/"}`
        : `/${bare}${bare === "" ? "" : "/"}`;
  const usual =
    hasOwn || (how === "grav" && /(?:^|\/)_/.test(path)) || how === "docusaurus" ? [] : [own];
  return [...usual, ...aliases, ...(permalink === undefined ? [] : [permalink])].map((one) =>
    encodeURI(how === "hugo" ? one.toLowerCase() : one),
  );
}
