/** Commands that format the selected text as Markdown. */
import { EditorSelection, type ChangeSpec, type Line } from "@codemirror/state";
import type { Command, EditorView, KeyBinding } from "@codemirror/view";

/** Puts marks around each selection, or removes them. */
export function toggleInline(mark: string): Command {
  return (view) => {
    const { state } = view;
    const width = mark.length;
    const transaction = state.changeByRange((range) => {
      const isMarked =
        state.sliceDoc(range.from - width, range.from) === mark &&
        state.sliceDoc(range.to, range.to + width) === mark;
      if (isMarked) {
        const changes = [
          { from: range.from - width, to: range.from },
          { from: range.to, to: range.to + width },
        ];
        return { changes, range: EditorSelection.range(range.from - width, range.to - width) };
      }
      const changes = [
        { from: range.from, insert: mark },
        { from: range.to, insert: mark },
      ];
      return { changes, range: EditorSelection.range(range.from + width, range.to + width) };
    });
    view.dispatch(state.update(transaction, { scrollIntoView: true, userEvent: "input.format" }));
    view.focus();
    return true;
  };
}

const PREFIX = /^(?:#{1,6} |> |[-*+] (?:\[[ xX]\] )?|\d+[.)] )/;

/** Sets the prefix of the selected lines (`## `, `- `, `> `), or removes it where it stands. */
export function toggleLines(prefix: (at: number) => string): Command {
  return (view) => {
    const lines = selectedLines(view);
    const areAll = lines.every((line, at) => line.text.startsWith(prefix(at)));
    const edits: ChangeSpec[] = lines.map((line, at) => {
      const old = PREFIX.exec(line.text)?.[0] ?? "";
      return { from: line.from, to: line.from + old.length, insert: areAll ? "" : prefix(at) };
    });
    const changes = view.state.changes(edits);
    // The cursor stays behind a new prefix.
    const selection = view.state.selection.map(changes, 1);
    view.dispatch({ changes, selection, scrollIntoView: true, userEvent: "input.format" });
    view.focus();
    return true;
  };
}

/** Inserts a block on lines of its own; `cursor` is counted from its beginning, `selected` from the cursor. */
export function insertBlock(
  view: EditorView,
  text: string,
  cursor = text.length,
  selected = 0,
): void {
  const { from, to } = view.state.selection.main;
  const line = view.state.doc.lineAt(from);
  const before = line.text.trim() === "" ? "" : "\n\n";
  const start = before === "" ? line.from : to;
  view.dispatch({
    changes: { from: start, to, insert: `${before}${text}\n` },
    selection: {
      anchor: start + before.length + cursor,
      head: start + before.length + cursor + selected,
    },
    scrollIntoView: true,
    userEvent: "input.insert",
  });
  view.focus();
}

/** Replaces the selection by a link; its text is the selection where there is one. */
export function insertLink(view: EditorView, text: string, url: string): void {
  const { from, to } = view.state.selection.main;
  const selected = view.state.sliceDoc(from, to);
  const insert = `[${selected === "" ? escapeText(text) : selected}](${escapeUrl(url)})`;
  view.dispatch({
    changes: { from, to, insert },
    selection: { anchor: from + insert.length },
    scrollIntoView: true,
    userEvent: "input.insert",
  });
  view.focus();
}

/** Inserts a picture at the cursor; one that is selected keeps its texts. */
export function insertImage(view: EditorView, alt: string, url: string): void {
  const { from, to } = view.state.selection.main;
  const [, text, title = ""] =
    /^!\[((?:\\.|[^\\])*?)\]\((?:<[^>]*>|[^\s)]*)(\s+["'(].*["')])?\s*\)$/.exec(
      view.state.sliceDoc(from, to),
    ) ?? [];
  // Behind another picture it stands on a line of its own, as the pictures of a gallery do.
  const before = view.state.doc.lineAt(from);
  const isBehind = from === to && to === before.to && /^\s*!\[.*\)$/.test(before.text);
  const open = isBehind ? "\n" : "";
  const insert = `${open}![${text ?? escapeText(alt)}](${escapeUrl(url)}${title})`;
  view.dispatch({
    changes: { from, to, insert },
    selection: { anchor: from + insert.length },
    scrollIntoView: true,
    userEvent: "input.insert",
  });
}

const TABLE = "| A | B |\n| --- | --- |\n|  |  |\n|  |  |";

/** Inserts a table with a heading and two rows; its first cell is selected. */
export function insertTable(view: EditorView): void {
  insertBlock(view, TABLE, TABLE.indexOf("A"), 1);
}

/** Shortcuts of the text editor. */
export const formattingKeys: readonly KeyBinding[] = [
  { key: "Mod-b", run: toggleInline("**") },
  { key: "Mod-i", run: toggleInline("*") },
  { key: "Mod-e", run: toggleInline("`") },
];

function selectedLines({ state }: EditorView): Line[] {
  const { from, to } = state.selection.main;
  const lines: Line[] = [];
  for (let at = from; ;) {
    const line = state.doc.lineAt(at);
    lines.push(line);
    if (line.to >= to) return lines;
    at = line.to + 1;
  }
}

function escapeText(text: string): string {
  return text.replace(/[[\]\\]/g, "\\$&");
}

/** A target as it is written between round brackets. */
export function escapeUrl(url: string): string {
  return /[\s()<>]/.test(url) ? `<${url.replace(/[<>\n]/g, encodeURIComponent)}>` : url;
}
