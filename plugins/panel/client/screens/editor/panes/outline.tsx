import { EditorView } from "@codemirror/view";
import type { Signal } from "@preact/signals";
import type { VNode } from "preact";
import { texts } from "../../../app/texts.js";
import de from "../../../locales/de/outline.json";
import en from "../../../locales/en/outline.json";
import type { EditSession } from "../saving/edit-session.js";
import { listHeadings } from "../text/text-blocks.js";

const t = texts({ en, de });

interface OutlineProps {
  session: EditSession;
  /** Line of the cursor in the text, from 1. */
  line: Signal<number>;
  /** Null while the text editor is not on the screen. */
  view(): EditorView | null;
}

/** The headings of the text; choosing one moves the cursor there. */
export default function Outline({ session, line, view }: OutlineProps): VNode {
  void session.text.revision.value;
  const headings = listHeadings(session.text.body);
  const current = headings.findLastIndex((heading) => heading.line <= line.value);
  if (headings.length === 0) return <p class="dim">{t("none")}</p>;
  return (
    <ol class="plain-list outline">
      {headings.map(({ level, text, line: at }, index) => (
        <li key={at}>
          <button
            type="button"
            class={`entry level-${level}`}
            aria-current={index === current ? "true" : undefined}
            onClick={() => goTo(view(), at)}
          >
            {text === "" ? t("empty") : text}
          </button>
        </li>
      ))}
    </ol>
  );
}

function goTo(view: EditorView | null, line: number): void {
  if (view === null) return;
  const { to } = view.state.doc.line(Math.min(line, view.state.doc.lines));
  const effects = EditorView.scrollIntoView(to, { y: "start", yMargin: 24 });
  view.dispatch({ selection: { anchor: to }, effects });
  view.focus();
}
