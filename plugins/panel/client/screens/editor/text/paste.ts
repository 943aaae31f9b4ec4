import type { Extension } from "@codemirror/state";
import { EditorView } from "@codemirror/view";

/** What plain text cannot say; editors of code copy only `div`, `span` and `br`. */
const FORMATTED = /<(?:a|b|strong|em|i|h[1-6]|ul|ol|table|blockquote|pre|code|img|del|s)[\s>]/i;

/** Pastes formatted text as Markdown. Ctrl Shift V, and text copied from code, stay plain. */
export function htmlPaste(): Extension {
  return EditorView.domEventHandlers({
    paste: ({ clipboardData }, view) => {
      if (clipboardData === null || view.state.readOnly || !isFormatted(clipboardData))
        return false;
      void insert(view, clipboardData.getData("text/html"), clipboardData.getData("text/plain"));
      return true;
    },
  });
}

/** A copied picture has HTML and no text, a copied text may have a picture of itself. */
function isFormatted(data: DataTransfer): boolean {
  const isPicture = data.getData("text/plain") === "" && data.files.length > 0;
  return !isPicture && FORMATTED.test(data.getData("text/html"));
}

async function insert(view: EditorView, html: string, plain: string): Promise<void> {
  // Without a connection, the text is pasted without its formatting.
  const text = await import("./paste-html.js").then(
    ({ markdownOf }) => markdownOf(html),
    () => plain,
  );
  const change = view.state.replaceSelection(text === "" ? plain : text);
  view.dispatch(change, { userEvent: "input.paste", scrollIntoView: true });
}
