import type { VNode } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";
import { useSignal, type Signal } from "@preact/signals";
import type { EditorView } from "@codemirror/view";
import { address, editPath, moveAddress, navigate, type ScreenProps } from "../../app/router.js";
import { attempt } from "../../app/toasts.js";
import { sitePath } from "../../boot.js";
import { fieldErrors, lazy, lazyDialog, Loading, useLoaded } from "../../parts/loading.js";
import { EditorHead, SidePane, type SideTab } from "./editor-head.js";
import { t } from "./editor-texts.js";
import { EditSession } from "./saving/edit-session.js";
import { dropLocalCopy, readLocalCopy, type LocalCopy } from "./saving/local-copy.js";
import type { Others } from "./saving/other-editors.js";
import { TextPane } from "./text/text-pane.js";
import { ApiError, call, request } from "../../api/request.js";
import { invalidatePageTypes, loadPageTypes } from "../../api/page-types.js";
import { may } from "../../api/session.js";
import type { WorkingCopy, PageType } from "../../api/answers.js";

const PageForm = lazy(async () => ({ default: (await import("./later.js")).PageForm }));
const Notices = lazy(async () => ({ default: (await import("./later.js")).Notices }));
const LinkPicker = lazyDialog(() => import("./toolbar/link-picker.js"));
const ImagePicker = lazyDialog(() => import("./toolbar/image-picker.js"));
const ConflictView = lazy(() => import("./saving/conflict.js"));
const BrokenPage = lazy(() => import("./broken-page.js"));

/** The editor of one page. */
export default function Editor({ params }: ScreenProps): VNode {
  const path = params["path"] ?? "";
  // The screen stays while the page moves to another path.
  const opened = useLoaded("", () => open(path));
  return (
    <Loading of={opened}>
      {(parts) => {
        const { page, draft } = parts;
        const { broken } = page;
        if (broken === undefined) return <Opened {...parts} />;
        // Another version of the file, or of its working copy, is another text.
        return (
          <BrokenPage
            key={`${page.hash} ${draft?.etag ?? ""}`}
            page={page}
            broken={broken}
            draft={draft}
            onStored={opened.reload}
          />
        );
      }}
    </Loading>
  );
}

type LoadedPage = Awaited<ReturnType<typeof open>>;

function Opened({ page, draft, local, set, types }: LoadedPage): VNode {
  const [session] = useState(() => new EditSession({ page, draft, local, set }));
  useEffect(() => () => session.close(), [session]);
  return <Workspace session={session} types={types} />;
}

async function open(path: string): ReturnType<typeof load> {
  try {
    return await load(path);
  } catch (error) {
    const movedTo = error instanceof ApiError ? error.movedTo : null;
    if (movedTo === null) throw error;
    moveAddress(editPath(movedTo));
    return load(movedTo);
  }
}

async function load(path: string) {
  const [page, draft, localCopy, { items: types }, { setKey: set }] = await Promise.all([
    request("GET /pages/*path", { params: { path } }),
    readWorkingCopy(path),
    readLocalCopy(path),
    loadPageTypes(),
    import("./front-matter/set-key.js"),
  ]);
  const saved = draft?.content ?? page.data.raw;
  const local = await unsaved(path, localCopy, saved);
  return { page: page.data, draft, local, set, types };
}

/** The working copy of a page; null without one. */
async function readWorkingCopy(path: string): Promise<WorkingCopy | null> {
  // The list first: a browser logs a 404 as an error.
  const { total } = await call("GET /drafts", { query: { path } });
  if (total === 0) return null;
  try {
    return await call("GET /drafts/*path", { params: { path } });
  } catch (error) {
    // Published or discarded in between.
    if (error instanceof ApiError && error.status === 404) return null;
    throw error;
  }
}

/** A text that is on the server already is dropped. */
async function unsaved(
  path: string,
  copy: LocalCopy | null,
  saved: string,
): Promise<LocalCopy | null> {
  if (copy === null || copy.text !== saved) return copy;
  await dropLocalCopy(path);
  return null;
}

interface WorkspaceProps {
  session: EditSession;
  /** All page types. */
  types: readonly PageType[];
}

/** Everything around one page: text, fields, preview, history. */
function Workspace(props: WorkspaceProps): VNode {
  const { session } = props;
  const key = session.text.frontMatter.value.values?.["template"];
  const template = typeof key === "string" ? key : session.live.value.template;
  const types = useTypes(props.types, session);
  const view = useRef<EditorView | null>(null);
  const dialog = useSignal<"link" | "image" | null>(null);
  const tab = useSignal<SideTab | null>(firstTab());
  const line = useSignal(1);
  // Closing the comparison lets the person go on reading; the notice opens it again.
  const isLater = useSignal(false);
  useShortcuts(session, () => (tab.value = tab.value === "preview" ? null : "preview"));
  useLeaving(session);
  const others = useOthers(session);
  const type = types.find((one) => one.template === template) ?? null;
  const upload = async (files: readonly File[]): Promise<void> => {
    const { insertFiles, uploadFiles } = await import("./toolbar/image-picker.js");
    const uploaded = await uploadFiles(session.path, files);
    if (view.current !== null) insertFiles(view.current, uploaded);
  };
  return (
    <div class={`workspace ${tab.value === null ? "" : "has-side"}`}>
      <EditorHead session={session} tab={tab} />
      <Notices session={session} others={others} onResolve={() => (isLater.value = false)} />
      <div class="workspace-panes">
        <section class="writing" aria-label={t("text")}>
          <TextPane
            session={session}
            line={line}
            isEditable={may("pages.update", session.live.value)}
            onReady={(ready) => {
              view.current = ready;
              // A page that was just created has its title.
              if (address.peek().query.has("write")) ready?.focus();
            }}
            view={() => view.current}
            onLink={() => (dialog.value = "link")}
            onImage={() => (dialog.value = "image")}
            onFiles={(files) => void upload(files)}
          />
        </section>
        {tab.value !== null && (
          <SidePane session={session} tab={tab} line={line} view={() => view.current}>
            <PageForm session={session} type={type} template={template} />
          </SidePane>
        )}
      </div>
      <Dialogs session={session} dialog={dialog} view={() => view.current} upload={upload} />
      {session.conflict.value !== null && !isLater.value && (
        <ConflictView session={session} type={type} onClose={() => (isLater.value = true)} />
      )}
    </div>
  );
}

/** A translation that was just created begins beside its original. */
function firstTab(): SideTab | null {
  if (address.peek().query.has("source")) return "source";
  return innerWidth > 1_100 ? "fields" : null;
}

interface DialogsProps {
  session: EditSession;
  /** The open dialog; null: none. */
  dialog: Signal<"link" | "image" | null>;
  /** Null while the text editor is not on the screen. */
  view(): EditorView | null;
  upload(files: readonly File[]): Promise<void>;
}

/** The dialogs that the toolbar opens over the text. */
function Dialogs({ session, dialog, view, upload }: DialogsProps): VNode | null {
  const close = (): void => {
    dialog.value = null;
  };
  if (dialog.value === "link") return <LinkPicker view={view} onClose={close} />;
  if (dialog.value === null) return null;
  return <ImagePicker path={session.path} view={view} onUpload={upload} onClose={close} />;
}

/** The page types; loaded again when a refused text shows that one has changed. */
function useTypes(first: readonly PageType[], session: EditSession): readonly PageType[] {
  const [types, setTypes] = useState(first);
  const isRefused = fieldErrors(session.problem.value).length > 0;
  useEffect(() => {
    if (!isRefused) return;
    invalidatePageTypes();
    void loadPageTypes().then(
      ({ items }) => setTypes(items),
      () => undefined,
    );
  }, [isRefused]);
  return types;
}

function useOthers(session: EditSession): Others | null {
  const [others, setOthers] = useState<Others | null>(null);
  useEffect(() => {
    let followed: Others | null = null;
    let isOver = false;
    void import("./later.js").then(({ followOthers }) => {
      if (isOver) return;
      followed = followOthers(session);
      setOthers(followed);
    });
    return () => {
      isOver = true;
      followed?.stop();
    };
  }, [session]);
  return others;
}

function useShortcuts(session: EditSession, togglePreview: () => void): void {
  useEffect(() => {
    const onKey = (event: KeyboardEvent): void => {
      if (!event.ctrlKey && !event.metaKey) return;
      const key = event.key.toLowerCase();
      const isKnown = key === "s" || (key === "p" && event.shiftKey) || key === "enter";
      if (!isKnown) return;
      event.preventDefault();
      event.stopPropagation();
      if (key === "s") void session.flush();
      else if (key === "p") togglePreview();
      else {
        void attempt(async () => {
          const { publishShortcut } = await import("./publish/page-actions.js");
          await publishShortcut(session);
        });
      }
    };
    addEventListener("keydown", onKey, { capture: true });
    return () => removeEventListener("keydown", onKey, { capture: true });
  }, [session]);
}

/** Saves when the window is hidden, and asks before a window closes that holds unsaved text. */
function useLeaving(session: EditSession): void {
  useEffect(() => {
    const onHide = (): void => {
      if (document.visibilityState === "hidden") void session.flush();
    };
    const onLeave = (event: BeforeUnloadEvent): void => {
      if (session.state.value !== "clean") event.preventDefault();
    };
    const onOnline = (): void => void session.flush();
    document.addEventListener("visibilitychange", onHide);
    addEventListener("beforeunload", onLeave);
    addEventListener("online", onOnline);
    return () => {
      document.removeEventListener("visibilitychange", onHide);
      removeEventListener("beforeunload", onLeave);
      removeEventListener("online", onOnline);
    };
  }, [session]);
}

/** Leads from an address of the public site to the editor of its page, else to the list of pages. */
export function EditPage({ query }: ScreenProps): VNode {
  const path = sitePath(query.get("path") ?? "/");
  const sought = useLoaded(path, async () => {
    const sourcePath = await findSource(path);
    const list = `/pages?q=${encodeURIComponent(path)}`;
    navigate(sourcePath === null ? list : editPath(sourcePath), { replace: true });
    return sourcePath;
  });
  return <Loading of={sought}>{() => <p />}</Loading>;
}

/** The source path of the page at an address of the public site; null without a page. */
async function findSource(route: string): Promise<string | null> {
  try {
    return (await call("GET /page-source", { query: { route } })).sourcePath;
  } catch (error) {
    if (error instanceof ApiError && error.status === 404) return null;
    throw error;
  }
}
