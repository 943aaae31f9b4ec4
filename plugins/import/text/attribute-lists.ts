/** Attribute lists of kramdown and Python-Markdown on headings: the id stays, the rest has no counterpart. */

/** `## Title { #id .class }`, and the same list on a line of its own below it. */
const ON_HEADING =
  /^([ \t>]*#{1,6}[ \t][^\n]*?)(?:[ \t]*|[ \t]*\n[ \t>]*)\{:?[ \t]*((?:[.#][^\s{}]+|[\w-]+=[^{}\n]*?)(?:[ \t]+[^{}\n]*)?)\}[ \t]*(?:#+[ \t]*)?$/gm;
const ID = /(?:^|\s)(?:#([^\s.#{}"<>][^\s{}"<>]*)|id=["']?([^\s{}"'<>]+))/;

/** An id that the syntax `{#id}` of this project takes. */
const WRITABLE = /^[\p{L}_][\p{L}\p{N}_:.-]*$/u;

/** The text, whose code is hidden, with ids of headings as this project writes them: `## Title {#id}`. */
export function headingAttributes(text: string): string {
  return text.replaceAll(ON_HEADING, (_, written: string, list: string) => {
    const [, id] = (ID.exec(list) ?? []).filter((one) => one !== undefined);
    const heading = written.trimEnd();
    if (id === undefined) return heading;
    if (WRITABLE.test(id)) return `${heading} {#${id}}`;
    return heading.replace(/^([ \t>]*#{1,6}[ \t]+)/, (mark) => `${mark}<a id="${id}"></a>`);
  });
}
