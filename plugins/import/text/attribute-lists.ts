/** Attribute lists of kramdown, Python-Markdown, Hugo and MDC: the id stays, the rest has no counterpart. */

/** `## Title { #id .class }`, and the same list on a line of its own below it. */
const ON_HEADING =
  /^([ \t>]*#{1,6}[ \t][^\n]*?)(?:[ \t]*|[ \t]*\n[ \t>]*)\{:?[ \t]*((?:[.#][^\s{}]+|[\w-]+=[^{}\n]*?)(?:[ \t]+[^{}\n]*)?)\}[ \t]*(?:#+[ \t]*)?$/gm;
const ID = /(?:^|\s)(?:#([^\s.#{}"<>][^\s{}"<>]*)|id=["']?([^\s{}"'<>]+))/;

/** An id that the syntax `{#id}` of this project takes. */
const WRITABLE = /^[\p{L}_][\p{L}\p{N}_:.-]*$/u;

/** The text, whose code is hidden, with ids of headings as this project writes them: `## Title {#id}`. */
export function headingAttributes(text: string): string {
  return text.replaceAll(ON_HEADING, (_, written: string, list: string) => {
    const id = idOf(list);
    const heading = written.trimEnd();
    if (id === undefined) return heading;
    if (WRITABLE.test(id)) return `${heading} {#${id}}`;
    return heading.replace(/^([ \t>]*#{1,6}[ \t]+)/, (mark) => `${mark}<a id="${id}"></a>`);
  });
}

/**
 * What stands for an attribute list, in its braces, of anything but a heading: an anchor with its id, since links lead to
 * it; nothing without one. A line break at its end stays after an anchor.
 */
export function listAnchor(list: string): string {
  const id = idOf(list.replace(/^[^{]*\{:?/, "").replace(/\}\s*$/, ""));
  return id === undefined ? "" : `<a id="${id}"></a>${list.endsWith("\n") ? "\n" : ""}`;
}

function idOf(list: string): string | undefined {
  return ID.exec(list)
    ?.slice(1)
    .find((one) => one !== undefined);
}
