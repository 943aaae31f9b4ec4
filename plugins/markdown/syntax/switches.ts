/** The switches of `markdown` in site.yaml, and which of them a body needs. */

import type { SyntaxSettings } from "../contract.js";

/** The name of a syntax that can be switched off. */
export type Switch = keyof SyntaxSettings;

/**
 * What the source of a body that uses a syntax contains. Each is linear and cheap: most bodies need
 * few of them, and only these are loaded and run.
 */
const MARKS: Readonly<Record<Switch, RegExp>> = {
  alerts: /^[ \t>*+\d.)-]*>[ \t]*\[!/m,
  directives: /^[ \t>*+\d.)-]*:::/m,
  code_lines: /^[ \t>*+\d.)-]*(?:```|~~~)[^\n]*[[{:=\s]\S|\[!code /m,
  highlight: /^[ \t>*+\d.)-]*(?:```|~~~)[`~]*[ \t]*[\w{]|<code/m,
  math: /\$|^[ \t>*+\d.)-]*(?:```|~~~)math/m,
  mermaid: /^[ \t>*+\d.)-]*(?:```|~~~)[`~]*[ \t]*mermaid/m,
  emoji: /:[+\w-]{2,40}:/,
  mark: /==[^\s=]/,
  sub_sup: /[^\s~]~[^\s~]|\^[^\s^\]]/,
  toc: /^[ \t]*\[(?:\[_?toc_?\]|toc)\][ \t]*$/im,
  abbreviations: /^ {0,3}\*\[/m,
  figures: /!\[/,
  wiki_links: /\[\[/,
  margin_notes: /\[\^/,
};

/** The switches that are on and whose syntax the source may contain, sorted. */
export function neededSwitches(
  source: string,
  switches: Readonly<SyntaxSettings>,
): readonly Switch[] {
  const names = Object.keys(MARKS).sort() as Switch[];
  return names.filter((name) => switches[name] && MARKS[name].test(source));
}
