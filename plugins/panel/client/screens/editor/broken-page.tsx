/** A page that cannot be read: its whole text, with the line of the problem marked. */
import {
  Decoration,
  EditorView,
  gutterLineClass,
  GutterMarker,
  keymap,
  lineNumbers,
  type DecorationSet,
} from "@codemirror/view";
import { ArrowLeft } from "lucide";
import type { VNode } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";
import { defaultKeymap, history, historyKeymap } from "@codemirror/commands";
import { EditorState, RangeSetBuilder, StateEffect, StateField } from "@codemirror/state";
import { href } from "../../app/router.js";
import { done } from "../../app/toasts.js";
import { nonce } from "../../boot.js";
import { Failure } from "../../parts/loading.js";
import { Icon } from "../../parts/icon.js";
import { t } from "./editor-texts.js";
import { readFrontMatter, splitFile } from "./front-matter/edited-text.js";
import { BodyText } from "./text/body-text.js";
import { call } from "../../api/request.js";
import { may } from "../../api/session.js";
import type { WorkingCopy, PageSource } from "../../api/answers.js";

type Broken = NonNullable<PageSource["broken"]>;

/** Properties of the screen. */
interface BrokenPageProps {
  page: PageSource;
  broken: Broken;
  /** A working copy, whose text is shown. */
  draft: WorkingCopy | null;
  /** The text is stored: the page, or its working copy, is another one. */
  onStored(): void;
}
const PROBLEM_ID = "broken-problem";
/** The place of the problem; without a line it is not in the front matter that can be seen here. */
type Problem = Pick<Broken, "message" | "line" | "column">;

/** The text of the file, its problem while it is typed, and a way to save it. */
export default function BrokenPage({ page, broken, draft, onStored }: BrokenPageProps): VNode {
  const { sourcePath, raw } = page;
  const text = draft?.content ?? raw;
  const isText = broken.isEditable !== false;
  const isEditable = isText && may("pages.update", page);
  const isSyntax = findProblem(raw) !== null;
  const check = (next: string): Problem | null => findProblem(next) ?? (isSyntax ? null : broken);
  const [problem, setProblem] = useState(() => (draft === null ? broken : check(text)));
  const [failure, setFailure] = useState<unknown>(null);
  const [isBusy, setBusy] = useState(false);
  const view = useRef<EditorView | null>(null);
  useEffect(() => {
    view.current?.dispatch({ effects: mark.of(problem?.line ?? null) });
  }, [problem?.line]);

  // Publishing may fail after the working copy was saved.
  const copy = useRef(draft);
  const storeCopy = async (content: string): Promise<void> => {
    const saved = await saveCopy(page, copy.current, content);
    copy.current = saved;
    if (saved.content !== content)
      view.current?.dispatch({
        changes: { from: 0, to: view.current.state.doc.length, insert: saved.content },
      });
    await submitCopy(page, saved);
  };
  const save = async (): Promise<void> => {
    if (view.current === null) return;
    setBusy(true);
    setFailure(null);
    try {
      const content = readSource(view.current, text);
      if (copy.current === null && may("pages.publish", page)) await writePage(page, content);
      else await storeCopy(content);
      done(t(may("pages.publish", page) ? "broken.saved" : "broken.reviewed"));
      onStored();
    } catch (error) {
      setFailure(error);
    }
    setBusy(false);
  };
  return (
    <div class="workspace">
      <header class="editor-head">
        <a class="button" href={href("/pages")} data-screen aria-label={t("back")}>
          <Icon of={ArrowLeft} />
        </a>
        <h1 class="broken-title">{t("broken.title")}</h1>
        <code class="grow dim">
          <bdi>{sourcePath}</bdi>
        </code>
        {isEditable && (
          <button type="button" class="primary" disabled={isBusy} onClick={() => void save()}>
            {t(may("pages.publish", page) ? "broken.save" : "broken.review")}
          </button>
        )}
      </header>
      <div class="broken-page stack">
        <div class={`notice ${problem === null ? "good" : "bad"}`} role="status">
          <p id={PROBLEM_ID}>{problem === null ? t("broken.fine") : shown(problem)}</p>
          <p class="help">{t(isText ? "broken.help" : "broken.file")}</p>
          {draft !== null && <p class="help">{t("broken.draft")}</p>}
          {problem?.line !== undefined && (
            <button type="button" onClick={() => goTo(view.current, problem)}>
              {t("broken.goto", { line: problem.line })}
            </button>
          )}
        </div>
        {failure !== null && <Failure error={failure} />}
        {isText && (
          <SourceText
            label={t("broken.text", { path: sourcePath })}
            text={text}
            isEditable={isEditable}
            view={view}
            onChange={(next) => setProblem(check(next))}
          />
        )}
      </div>
    </div>
  );
}

/** Writes the whole text of a page, unless its file has changed. */
async function writePage({ sourcePath, hash }: PageSource, content: string): Promise<void> {
  const params = { path: sourcePath };
  await call("PUT /pages/*path", { params, body: { content }, ifMatch: hash });
}

/** Saves a text as the working copy; `former` is the copy that it replaces. */
function saveCopy(
  { sourcePath, raw, hash }: PageSource,
  former: WorkingCopy | null,
  content: string,
): Promise<WorkingCopy> {
  const { content: base, baseEtag, etag } = former ?? { content: raw, baseEtag: hash };
  const body = { content, base, baseEtag };
  return call("PUT /drafts/*path", { params: { path: sourcePath }, body, ifMatch: etag });
}

/** Publishes a working copy; users without that right ask for a review. */
async function submitCopy(page: PageSource, { etag }: WorkingCopy): Promise<void> {
  const { sourcePath, hash } = page;
  const params = { path: sourcePath };
  if (may("pages.publish", page)) {
    const ifMatch = hash === "" ? undefined : hash;
    await call("POST /drafts/*path/publish", { params, body: { etag }, ifMatch });
  } else await call("POST /drafts/*path/review", { params, body: { requested: true } });
}

interface SourceTextProps {
  text: string;
  label: string;
  isEditable: boolean;
  /** Set while the editor is on the screen. */
  view: { current: EditorView | null };
  onChange(text: string): void;
}

/** The text editor; its first text stays that of the screen. */
function SourceText(props: SourceTextProps): VNode {
  const parent = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (parent.current === null) return;
    const { view, ...options } = props;
    const editor = createSourceEditor({
      ...options,
      parent: parent.current,
      describedBy: PROBLEM_ID,
    });
    view.current = editor;
    return () => {
      view.current = null;
      editor.destroy();
    };
  }, []);
  return <div ref={parent} class="source-editor" />;
}

/** Shows a text that was merged with that of another person. */
function goTo(view: EditorView | null, { line = 1, column = 1 }: Problem): void {
  if (view === null) return;
  const { doc } = view.state;
  const { from, to } = doc.line(Math.min(line, doc.lines));
  view.dispatch({ selection: { anchor: Math.min(from + column - 1, to) }, scrollIntoView: true });
  view.focus();
}

function shown({ message, line }: Problem): string {
  return line === undefined ? message : t("broken.line", { line, message });
}

/** Finds a problem in the front matter of a text; the server has the last word. */
function findProblem(text: string): Problem | null {
  const { open, yaml } = splitFile(text);
  if (open.includes("+++")) return null;
  const matter = readFrontMatter(yaml);
  if (matter.error === null) return null;
  const message = matter.error.split("\n", 1)[0] ?? matter.error;
  return { message, line: matter.line + open.split("\n").length - 1 };
}

// The editor of the source has line numbers, and marks one line.

/** Options of the editor of a source. */
interface SourceEditorOptions {
  parent: HTMLElement;
  text: string;
  /** Name of the editor for screen readers. */
  label: string;
  /** Id of the element that says what is wrong. */
  describedBy: string;
  isEditable: boolean;
  onChange(text: string): void;
}

/** Marks a line, from 1; null: none. */
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
function createSourceEditor(options: SourceEditorOptions): EditorView {
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

/** The text with the line ends of the file. */
function readSource(view: EditorView, text: string): string {
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
