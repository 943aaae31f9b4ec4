/** The text editor of CodeMirror: the source of a text, with its formatting shown in place. */
import { defaultKeymap, history, historyKeymap } from "@codemirror/commands";
import { deleteMarkupBackward, insertNewlineContinueMarkup } from "@codemirror/lang-markdown";
import { ChangeSet, EditorState, Prec, type Extension } from "@codemirror/state";
import { EditorView, keymap, placeholder } from "@codemirror/view";
import { nonce } from "../../../boot.js";
import { openWithKeys } from "../../../parts/early-keys.js";
import type { BodyPort } from "../front-matter/edited-text.js";
import { blockViews } from "../blocks/block-views.js";
import type { SlashActions } from "../blocks/block.js";
import { formattingKeys } from "../toolbar/formatting.js";
import { BodyText, differingRange } from "./body-text.js";
import { liftItem, nestItem } from "./list-keys.js";
import { type ImageSource, liveMarkdown, markdownSupport } from "./live-markdown.js";

/** Matches markup that plain text cannot express; editors of code copy only `div`, `span` and `br`. */
const FORMATTED = /<(?:a|b|strong|em|i|h[1-6]|ul|ol|table|blockquote|pre|code|img|del|s)[\s>]/i;

/** The text editor needs these from the screen. */
interface TextEditorOptions extends SlashActions {
  parent: HTMLElement;
  /** Settles when the tools that come after the text are loaded; rejected: the text is edited without them. */
  tools: Promise<unknown>;
  body: string;
  /** Attributes of the field, such as its name. */
  attributes: Readonly<Record<string, string>>;
  /** Shown while the text is empty. */
  placeholder: string;
  /** False: the text may be read and copied. */
  isEditable: boolean;
  onChange(): void;
  /** Line of the cursor, from 1. */
  onLine(line: number): void;
  /** The selected text; empty without a selection. */
  onSelect(text: string): void;
  /** Pictures that were pasted or dropped. */
  onFiles(files: readonly File[]): void;
  imageSource: ImageSource;
}
/** The text editor as the screen drives it. */
export interface TextEditor extends BodyPort {
  readonly view: EditorView;
  destroy(): void;
}

/** Creates the text editor inside `parent`. */
export function createTextEditor(options: TextEditorOptions): TextEditor {
  let line = 0;
  let body: BodyText;
  let sinceMark: ChangeSet;
  const watch = EditorView.updateListener.of((update) => {
    if (update.docChanged) {
      body.record(update.changes);
      sinceMark = sinceMark.compose(update.changes);
      options.onChange();
    }
    if (!update.selectionSet && !update.docChanged) return;
    const next = update.state.doc.lineAt(update.state.selection.main.head).number;
    if (next !== line) options.onLine((line = next));
    const { from, to } = update.state.selection.main;
    options.onSelect(update.state.sliceDoc(from, to));
  });
  const state = EditorState.create({ doc: options.body, extensions: [extensions(options), watch] });
  body = new BodyText(options.body, state.doc.length);
  sinceMark = ChangeSet.empty(state.doc.length);
  const view = new EditorView({ state, parent: options.parent });
  return {
    view,
    read: () => body.read(view.state.doc),
    mark: () => {
      sinceMark = ChangeSet.empty(view.state.doc.length);
    },
    replace: (next) => {
      const change = differingRange(view.state.doc.toString(), plain(next));
      if (change !== null) view.dispatch({ changes: change });
      body = new BodyText(next, view.state.doc.length);
    },
    rebase: (from, to) => {
      const change = differingRange(plain(from), plain(to));
      if (change === null) return;
      const changes = ChangeSet.of(change, plain(from).length);
      view.dispatch({ changes: changes.map(sinceMark) });
    },
    destroy: () => view.destroy(),
  };
}

/** The text as CodeMirror holds it. */
function plain(text: string): string {
  return text.replace(/\r\n?/g, "\n");
}

function extensions(options: TextEditorOptions): Extension[] {
  return [
    EditorView.cspNonce.of(nonce),
    EditorView.lineWrapping,
    EditorView.editable.of(options.isEditable),
    EditorState.readOnly.of(!options.isEditable),
    EditorView.contentAttributes.of({ spellcheck: "true", ...options.attributes }),
    history(),
    placeholder(options.placeholder),
    markdownSupport(),
    liveMarkdown(options.imageSource),
    blockViews(options),
    keymap.of([
      { key: "Mod-Shift-k", run: () => (options.onLink(), true) },
      ...formattingKeys,
      { key: "Tab", run: nestItem, shift: liftItem },
      { key: "Enter", run: insertNewlineContinueMarkup },
      { key: "Backspace", run: deleteMarkupBackward },
      ...historyKeymap,
      ...defaultKeymap,
    ]),
    ...(options.isEditable ? [slashMenu(options)] : []),
    findPanel(),
    toolKeys(options.tools),
    htmlPaste(),
    fileHandlers(options),
  ];
}

const SLASH = /^\s*\/[^/]*$/;

/** Loads the menu with the first `/` at the start of a line; keys that choose in it wait until it is there. */
function slashMenu(actions: SlashActions): Extension {
  let opening: Promise<void> | null = null;
  let isOpen = false;
  const opener = EditorView.updateListener.of(({ view, transactions }) => {
    const isTyped = transactions.some((one) => one.isUserEvent("input.type"));
    const { head } = view.state.selection.main;
    if (opening !== null || !isTyped || !/^\s*\/$/.test(view.state.doc.lineAt(head).text)) return;
    opening = import("../blocks/slash-menu.js")
      .then(({ openSlashMenu }) => openSlashMenu(view, actions))
      .then(
        () => void (isOpen = true),
        // Without a connection, what is typed stays; the next slash tries again.
        () => void (opening = null),
      );
  });
  const chooser = waitingKeys(({ key }, { state }) => {
    const isChoice = /^(?:Enter|Tab|Arrow(?:Up|Down))$/.test(key);
    const { text } = state.doc.lineAt(state.selection.main.head);
    return isChoice && !isOpen && SLASH.test(text) ? opening : null;
  });
  return [opener, chooser];
}

/** Loads the search panel with its first use. */
function findPanel(): Extension {
  const open = (view: EditorView): boolean => {
    void openWithKeys(
      () => import("./find-panel.js"),
      ({ openFindPanel }) => openFindPanel(view),
    );
    return true;
  };
  return keymap.of([{ key: "Mod-f", run: open, preventDefault: true }]);
}

/** Keys of the tools that come after the text wait for them: before, they mean something else. */
function toolKeys(tools: Promise<unknown>): Extension {
  let isSettled = false;
  const settled = tools.then(
    () => void (isSettled = true),
    () => void (isSettled = true),
  );
  return waitingKeys((event) => {
    const isMod = event.ctrlKey || event.metaKey;
    const isTool = isMod
      ? /^[k/]$/i.test(event.key) || (event.shiftKey && /^f$/i.test(event.key))
      : event.altKey && /^Arrow(?:Up|Down)$/.test(event.key);
    return isTool && !isSettled ? settled : null;
  });
}

/** Keys for a part that is being loaded: pressed again when it is there. `find` returns null for other keys. */
function waitingKeys(
  find: (event: KeyboardEvent, view: EditorView) => Promise<void> | null,
): Extension {
  return Prec.highest(
    EditorView.domEventHandlers({
      keydown: (event, view) => {
        const loading = event.isComposing ? null : find(event, view);
        if (loading === null) return false;
        event.stopPropagation();
        void openWithKeys(
          () => loading,
          () => view.contentDOM.dispatchEvent(new KeyboardEvent("keydown", event)),
        );
        return true;
      },
    }),
  );
}

function fileHandlers({ onFiles, isEditable }: TextEditorOptions): Extension {
  const take = (event: Event, data: DataTransfer | null): boolean => {
    const files = [...(data?.files ?? [])];
    if (files.length === 0 || !isEditable) return false;
    event.preventDefault();
    onFiles(files);
    return true;
  };
  return EditorView.domEventHandlers({
    paste: (event) => take(event, event.clipboardData),
    drop: (event, view) => {
      const at = view.posAtCoords({ x: event.clientX, y: event.clientY });
      const hasFiles = (event.dataTransfer?.files.length ?? 0) > 0;
      if (hasFiles && at !== null) view.dispatch({ selection: { anchor: at } });
      return take(event, event.dataTransfer);
    },
  });
}

/** Pastes formatted text as Markdown. Ctrl Shift V, and text copied from code, stay plain. */
function htmlPaste(): Extension {
  return EditorView.domEventHandlers({
    paste: ({ clipboardData }, view) => {
      if (clipboardData === null || view.state.readOnly || !isFormatted(clipboardData))
        return false;
      const html = clipboardData.getData("text/html");
      const plain = clipboardData.getData("text/plain");
      void openWithKeys(
        () => import("./paste.js"),
        ({ pasteFormatted }) => void pasteFormatted(view, html, plain),
        // Without a connection, the text is pasted without its formatting.
        () => view.dispatch(view.state.replaceSelection(plain), { userEvent: "input.paste" }),
      );
      return true;
    },
  });
}

/** A copied picture has HTML and no text, a copied text may have a picture of itself. */
function isFormatted(data: DataTransfer): boolean {
  const isPicture = data.getData("text/plain") === "" && data.files.length > 0;
  return !isPicture && FORMATTED.test(data.getData("text/html"));
}
