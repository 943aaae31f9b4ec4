/** A plain text editor with line numbers, in which one line can be marked. */
import { defaultKeymap, history, historyKeymap } from "@codemirror/commands";
import { EditorState, RangeSetBuilder, StateEffect, StateField } from "@codemirror/state";
import {
  Decoration,
  EditorView,
  gutterLineClass,
  GutterMarker,
  keymap,
  lineNumbers,
  type DecorationSet,
} from "@codemirror/view";
import { nonce } from "../../../boot.js";
import { BodyText } from "./body-text.js";

/** What the editor shows. */
export interface SourceEditorOptions {
  parent: HTMLElement;
  text: string;
  /** Name of the editor for screen readers. */
  label: string;
  /** Id of the element that says what is wrong. */
  describedBy: string;
  isEditable: boolean;
  onChange(text: string): void;
}

const mark = StateEffect.define<number | null>();
const marked = Decoration.line({ class: "cm-problem" });
class ProblemNumber extends GutterMarker {
  override readonly elementClass = "cm-problem-number";
}
const problemNumber = new ProblemNumber();

/** The marked line, from 1; null: none. */
const problemLine = StateField.define<number | null>({
  create: () => null,
  update: (line, { effects }) => {
    const set = effects.find((effect) => effect.is(mark));
    return set === undefined ? line : set.value;
  },
  provide: (field) => [
    EditorView.decorations.from(field, (line) => (view) => decorated(view.state, line)),
    gutterLineClass.compute([field, "doc"], (state) => numbered(state)),
  ],
});

/** Line ends of the file, for `readSource`. */
const bodies = new WeakMap<EditorView, BodyText>();

/** Creates the editor inside `parent`. */
export function createSourceEditor(options: SourceEditorOptions): EditorView {
  const { parent, text, label, describedBy, isEditable, onChange } = options;
  const view = new EditorView({
    parent,
    state: EditorState.create({
      doc: text,
      extensions: [
        EditorView.cspNonce.of(nonce),
        EditorView.lineWrapping,
        EditorView.editable.of(isEditable),
        EditorState.readOnly.of(!isEditable),
        EditorView.contentAttributes.of({
          "aria-label": label,
          "aria-describedby": describedBy,
          // A text that can be read but not edited is reached by the Tab key all the same.
          tabindex: "0",
          spellcheck: "false",
        }),
        lineNumbers(),
        history(),
        problemLine,
        keymap.of([...historyKeymap, ...defaultKeymap]),
        EditorView.updateListener.of((update) => {
          if (!update.docChanged) return;
          bodies.get(update.view)?.record(update.changes);
          onChange(update.state.doc.toString());
        }),
      ],
    }),
  });
  bodies.set(view, new BodyText(text, view.state.doc.length));
  return view;
}

/** Marks a line, from 1; null: none. */
export function markLine(view: EditorView, line: number | null): void {
  view.dispatch({ effects: mark.of(line) });
}

/** The text with the line ends of the file. */
export function readSource(view: EditorView, text: string): string {
  return bodies.get(view)?.read(view.state.doc) ?? text;
}

function decorated(state: EditorState, line: number | null): DecorationSet {
  if (line === null || line > state.doc.lines) return Decoration.none;
  return Decoration.set([marked.range(state.doc.line(line).from)]);
}

function numbered(state: EditorState) {
  const builder = new RangeSetBuilder<GutterMarker>();
  const line = state.field(problemLine);
  if (line !== null && line <= state.doc.lines) {
    const { from } = state.doc.line(line);
    builder.add(from, from, problemNumber);
  }
  return builder.finish();
}
