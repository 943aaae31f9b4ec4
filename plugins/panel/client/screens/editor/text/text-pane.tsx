/** The text of a page: its title, the toolbar, the text editor and the number of words. */
import type { EditorView } from "@codemirror/view";
import { useSignal, type Signal } from "@preact/signals";
import type { VNode } from "preact";
import { useEffect, useLayoutEffect, useRef, useState } from "preact/hooks";
import { call } from "../../../api/request.js";
import { lazy } from "../../../parts/loading.js";
import { t } from "../editor-texts.js";
import type { EditSession } from "../saving/edit-session.js";
import { refreshBlocks } from "../blocks/block.js";
import { mediaAddresses } from "./live-markdown.js";
import { createTextEditor } from "./text-editor.js";

const Toolbar = lazy(async () => ({ default: (await import("../later.js")).Toolbar }));

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
  const selected = useSignal("");
  const latest = useRef(props);
  latest.current = props;
  // Before the first frame: typing is possible once it is drawn.
  useLayoutEffect(() => {
    if (parent.current === null) return;
    const tools = import("../later.js");
    const editor = createTextEditor({
      tools,
      parent: parent.current,
      body: session.text.body,
      attributes: { "aria-label": t("body"), "aria-description": t("body.keys") },
      placeholder: t("body.placeholder"),
      isEditable,
      onChange: () => session.changed(),
      onLine: (next) => (latest.current.line.value = next),
      onSelect: (words) => (selected.value = words),
      onFiles: (files) => latest.current.onFiles(files),
      onLink: () => latest.current.onLink(),
      onImage: () => latest.current.onImage(),
      imageSource: mediaAddresses.find,
    });
    session.text.connect(editor);
    latest.current.onReady(editor.view);
    void call("GET /media", { query: { path: session.path }, isBackground: true }).then(
      ({ items }) => {
        mediaAddresses.use(items, session.path);
        editor.view.dispatch({ effects: refreshBlocks.of(null) });
      },
      () => undefined,
    );
    let isOpen = true;
    void tools.then(
      ({ addTextTools }) => {
        if (!isOpen) return;
        addTextTools(editor.view, {
          onLink: () => latest.current.onLink(),
          route: () => session.live.peek().route,
          path: () => session.path,
        });
      },
      // Without a connection, the text is edited without them.
      () => undefined,
    );
    return () => {
      isOpen = false;
      session.text.connect(null);
      latest.current.onReady(null);
      editor.destroy();
    };
  }, [session, isEditable]);
  return (
    <>
      <Title session={session} isEditable={isEditable} onDone={() => props.view()?.focus()} />
      <div class="toolbar-place">
        {isEditable && <Toolbar {...props} path={() => session.path} />}
      </div>
      <div ref={parent} class="text-editor" />
      <WordCount session={session} selected={selected} />
    </>
  );
}

interface TitleProps {
  session: EditSession;
  isEditable: boolean;
  /** Enter moves to the text: a title is one line. */
  onDone(): void;
}

/** The title, which wraps: a hidden copy of its words behind the field sets the height. */
function Title({ session, isEditable, onDone }: TitleProps): VNode {
  const { values } = session.text.frontMatter.value;
  const title = values?.["title"];
  const value = typeof title === "string" || typeof title === "number" ? String(title) : "";
  return (
    <div class="title-field" data-value={value}>
      <textarea
        class="title-input"
        rows={1}
        aria-label={t("title")}
        placeholder={t("title")}
        value={value}
        readOnly={!isEditable || values === null}
        onInput={(event) =>
          session.set("title", event.currentTarget.value.replace(/\s*\n\s*/g, " "))
        }
        onKeyDown={(event) => {
          if (event.key !== "Enter" || event.isComposing) return;
          event.preventDefault();
          onDone();
        }}
      />
    </div>
  );
}

const WAIT_MS = 400;
const WORDS_PER_MINUTE = 220;

interface WordCountProps {
  session: EditSession;
  /** The selected text. */
  selected: Signal<string>;
}

/** Number of words and time to read, or of selected words; counted when typing pauses. */
function WordCount({ session, selected }: WordCountProps): VNode {
  const revision = session.text.revision.value;
  const part = selected.value;
  const count = () => [countWords(session.text.body), countWords(part)] as const;
  const [[all, n], setCounts] = useState(count);
  useEffect(() => {
    const timer = setTimeout(() => setCounts(count()), WAIT_MS);
    return () => clearTimeout(timer);
  }, [revision, part, session]);
  const minutes = Math.max(1, Math.round(all / WORDS_PER_MINUTE));
  return (
    <p class="word-count dim">
      {n > 0 ? t("words.selected", { n, all }) : t("words", { n: all, minutes })}
    </p>
  );
}

function countWords(text: string): number {
  return text.match(/[\p{L}\p{N}]+(?:['’-][\p{L}\p{N}]+)*/gu)?.length ?? 0;
}
