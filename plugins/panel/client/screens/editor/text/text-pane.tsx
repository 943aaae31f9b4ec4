import type { EditorView } from "@codemirror/view";
import type { Signal } from "@preact/signals";
import type { VNode } from "preact";
import { useLayoutEffect, useRef } from "preact/hooks";
import { pageMedia } from "../../../api/media/media.js";
import type { EditSession } from "../saving/edit-session.js";
import { t } from "../editor-texts.js";
import { createTextEditor } from "./text-editor.js";
import { WordCount } from "./word-count.js";
import { lazy } from "../../../parts/lazy.js";
import { mediaAddresses } from "./media-addresses.js";

const Toolbar = lazy(() => import("../toolbar/toolbar.js"));

/** The title, the toolbar and the text. */
export function TextPane(props: {
  session: EditSession;
  isEditable: boolean;
  line: Signal<number>;
  view(): EditorView | null;
  onReady(view: EditorView | null): void;
  onLink(): void;
  onImage(): void;
  onFiles(files: readonly File[]): void;
}): VNode {
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
    void pageMedia(session.path, { isBackground: true }).then(
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

function Title({ session, isEditable }: { session: EditSession; isEditable: boolean }): VNode {
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
