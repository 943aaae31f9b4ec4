import type { EditorView } from "@codemirror/view";
import type { Signal } from "@preact/signals";
import type { VNode } from "preact";
import { useEffect, useLayoutEffect, useRef, useState } from "preact/hooks";
import { lazy } from "../../../parts/loading.js";
import { t } from "../editor-texts.js";
import type { EditSession } from "../saving/edit-session.js";
import { mediaAddresses } from "./live-markdown.js";
import { createTextEditor } from "./text-editor.js";
import { call } from "../../../api/request.js";

const Toolbar = lazy(() => import("../toolbar/toolbar.js"));

interface TextPaneProps {
  session: EditSession;
  isEditable: boolean;
  /** Line of the cursor in the text, from 1. */
  line: Signal<number>;
  /** Null while the text editor is not on the screen. */
  view(): EditorView | null;
  /** Null when the editor closes. */
  onReady(view: EditorView | null): void;
  onLink(): void;
  onImage(): void;
  onFiles(files: readonly File[]): void;
}

/** The title, the toolbar and the text. */
export function TextPane(props: TextPaneProps): VNode {
  const { session, isEditable } = props;
  const parent = useRef<HTMLDivElement>(null);
  const latest = useRef(props);
  latest.current = props;
  // Before the first frame: typing is possible once it is drawn.
  useLayoutEffect(() => {
    if (parent.current === null) return;
    const editor = createTextEditor({
      parent: parent.current,
      body: session.text.body,
      isEditable,
      onChange: () => session.changed(),
      onLine: (next) => (latest.current.line.value = next),
      onFiles: (files) => latest.current.onFiles(files),
      onLink: () => latest.current.onLink(),
      onImage: () => latest.current.onImage(),
      imageSource: mediaAddresses.find,
    });
    session.text.connect(editor);
    latest.current.onReady(editor.view);
    void call("GET /media", { query: { path: session.path }, isBackground: true }).then(
      ({ items }) => {
        mediaAddresses.use(items);
        editor.view.dispatch({});
      },
      () => undefined,
    );
    return () => {
      session.text.connect(null);
      latest.current.onReady(null);
      editor.destroy();
    };
  }, [session, isEditable]);
  return (
    <>
      <Title session={session} isEditable={isEditable} />
      <div class="toolbar-place">{isEditable && <Toolbar {...props} />}</div>
      <div ref={parent} class="text-editor" />
      <WordCount session={session} />
    </>
  );
}

interface TitleProps {
  session: EditSession;
  isEditable: boolean;
}

function Title({ session, isEditable }: TitleProps): VNode {
  const { values } = session.text.frontMatter.value;
  const title = values?.["title"];
  return (
    <input
      class="title-input"
      aria-label={t("title")}
      placeholder={t("title")}
      value={typeof title === "string" || typeof title === "number" ? String(title) : ""}
      readOnly={!isEditable || values === null}
      onInput={(event) => session.set("title", event.currentTarget.value)}
    />
  );
}

const WAIT_MS = 400;
const WORDS_PER_MINUTE = 220;

interface WordCountProps {
  session: EditSession;
}

/** Number of words and time to read, counted when typing pauses. */
function WordCount({ session }: WordCountProps): VNode {
  const revision = session.text.revision.value;
  const [words, setWords] = useState(() => countWords(session.text.body));
  useEffect(() => {
    const timer = setTimeout(() => setWords(countWords(session.text.body)), WAIT_MS);
    return () => clearTimeout(timer);
  }, [revision, session]);
  const minutes = Math.max(1, Math.round(words / WORDS_PER_MINUTE));
  return <p class="word-count dim">{t("words", { n: words, minutes })}</p>;
}

function countWords(text: string): number {
  return text.match(/[\p{L}\p{N}]+(?:['’-][\p{L}\p{N}]+)*/gu)?.length ?? 0;
}
