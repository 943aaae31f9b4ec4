/** Attribute lists of kramdown and Python-Markdown on headings: the id stays, the rest has no counterpart. */

/** `## Title { #id .class }`, and the same list on a line of its own below it. */
const ON_HEADING =
  /^([ \t>]*#{1,6}[ \t][^\n]*?)(?:[ \t]*|[ \t]*\n[ \t>]*)\{:?[ \t]*((?:[.#][^\s{}]+|[\w-]+=[^{}\n]*?)(?:[ \t]+[^{}\n]*)?)\}[ \t]*(?:#+[ \t]*)?$/gm;
const ID = /(?:^|\s)#([^\s.#{}][^\s{}]*)/;

/** The text, whose code is hidden, with ids of headings as this project writes them: `## Title {#id}`. */
export function headingAttributes(text: string): string {
  return text.replaceAll(ON_HEADING, (_, heading: string, list: string) => {
    const id = ID.exec(list)?.[1];
    return id === undefined ? heading.trimEnd() : `${heading.trimEnd()} {#${id}}`;
  });
}
