/** A page that cannot be read: its whole text, with the line of the problem marked. */
import type { EditorView } from "@codemirror/view";
import { ArrowLeft } from "lucide";
import type { VNode } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";
import { discardDraft, proposeText, type Draft } from "../../api/content/drafts.js";
import { writePage, type Broken, type PageSource } from "../../api/content/pages.js";
import { ApiError } from "../../api/request.js";
import { may } from "../../api/session.js";
import { href } from "../../app/router.js";
import { done } from "../../app/toasts.js";
import { Failure } from "../../parts/failure.js";
import { Icon } from "../../parts/icon.js";
import { t } from "./editor-texts.js";
import { readFrontMatter, splitFile } from "./front-matter/text-file.js";
import { createSourceEditor, markLine, readSource } from "./text/source-editor.js";

/** What the screen needs. */
export interface BrokenPageProps {
  page: PageSource;
  broken: Broken;
  /** A working copy, whose text is shown. */
  draft: Draft | null;
  /** The page can be read again. */
  onFixed(): void;
}
const PROBLEM_ID = "broken-problem";
/** Where the problem is; without a line it is not in the front matter that can be seen here. */
type Problem = Pick<Broken, "message" | "line" | "column">;

/** The text of the file, its problem while it is typed, and a way to save it. */
export default function BrokenPage({ page, broken, draft, onFixed }: BrokenPageProps): VNode {
  const { sourcePath, raw } = page;
  const text = draft?.content ?? raw;
  const isText = broken.isEditable !== false;
  const isEditable = isText && may("pages.update");
  const [problem, setProblem] = useState(() => firstProblem(broken, draft));
  const [failure, setFailure] = useState<unknown>(null);
  const [isBusy, setBusy] = useState(false);
  const view = useRef<EditorView | null>(null);
  useEffect(() => {
    if (view.current !== null) markLine(view.current, problem?.line ?? null);
  }, [problem?.line]);

  const save = async (): Promise<void> => {
    if (view.current === null) return;
    setBusy(true);
    setFailure(null);
    try {
      await store({ page, draft, content: readSource(view.current, text) }, onFixed);
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
            {t(may("pages.publish") ? "broken.save" : "broken.review")}
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
            onChange={(next) => setProblem(problemIn(next))}
          />
        )}
      </div>
    </div>
  );
}

/** The text editor; its first text stays that of the screen. */
function SourceText(props: {
  text: string;
  label: string;
  isEditable: boolean;
  /** Set while the editor is on the screen. */
  view: { current: EditorView | null };
  onChange(text: string): void;
}): VNode {
  const place = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (place.current === null) return;
    const { view, ...options } = props;
    const editor = createSourceEditor({
      ...options,
      parent: place.current,
      describedBy: PROBLEM_ID,
    });
    view.current = editor;
    return () => {
      view.current = null;
      editor.destroy();
    };
  }, []);
  return <div ref={place} class="source-editor" />;
}

/** Writes the page, or asks for a review of the text without the right to publish. */
async function store(
  { page, draft, content }: { page: PageSource; draft: Draft | null; content: string },
  onFixed: () => void,
): Promise<void> {
  const { sourcePath, hash } = page;
  if (!may("pages.publish")) {
    await proposeText(sourcePath, { content, baseEtag: hash });
    return done(t("broken.reviewed"));
  }
  await writePage(sourcePath, content, hash);
  // The text of the working copy is on the page now.
  if (draft !== null) await discardDraft(sourcePath).catch(absent);
  done(t("broken.saved"));
  onFixed();
}

function goTo(view: EditorView | null, { line = 1, column = 1 }: Problem): void {
  if (view === null) return;
  const { doc } = view.state;
  const { from, to } = doc.line(Math.min(line, doc.lines));
  view.dispatch({ selection: { anchor: Math.min(from + column - 1, to) }, scrollIntoView: true });
  view.focus();
}

/** The working copy may have another problem than the file, or none. */
function firstProblem(broken: Broken, draft: Draft | null): Problem | null {
  return draft === null ? broken : problemIn(draft.content);
}

function shown({ message, line }: Problem): string {
  return line === undefined ? message : t("broken.line", { line, message });
}

/** What the parser of the panel finds in the front matter of a text; the server has the last word. */
function problemIn(text: string): Problem | null {
  const { open, yaml } = splitFile(text);
  if (open.includes("+++")) return null;
  const matter = readFrontMatter(yaml);
  if (matter.error === null) return null;
  const message = matter.error.split("\n", 1)[0] ?? matter.error;
  return { message, line: matter.line + open.split("\n").length - 1 };
}

function absent(error: unknown): void {
  if (!(error instanceof ApiError) || error.status !== 404) throw error;
}
