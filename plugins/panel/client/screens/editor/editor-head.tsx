import type { Signal } from "@preact/signals";
import {
  ArrowLeft,
  Eye,
  History,
  SlidersHorizontal,
  TableOfContents,
  X,
  type IconNode,
} from "lucide";
import type { ComponentChildren, VNode } from "preact";
import type { EditorView } from "@codemirror/view";
import { href } from "../../app/router.js";
import { t as app } from "../../app/texts.js";
import { PageBadge } from "../../parts/badge.js";
import { lazy, toReason } from "../../parts/loading.js";
import { Icon } from "../../parts/icon.js";
import { Moment } from "../../parts/moment.js";
import { t } from "./editor-texts.js";
import type { EditSession } from "./saving/edit-session.js";

const Preview = lazy(() => import("./panes/preview.js"));
const HistoryPane = lazy(() => import("./panes/history-pane.js"));
const Outline = lazy(() => import("./panes/outline.js"));
const SourcePane = lazy(() => import("./text/source-pane.js"));
const Languages = lazy(async () => ({ default: (await import("./later.js")).Languages }));
const Publication = lazy(async () => ({ default: (await import("./later.js")).Publication }));

interface Tab {
  readonly name: SideTab;
  readonly icon: IconNode;
}

const TABS: readonly Tab[] = [
  { name: "fields", icon: SlidersHorizontal },
  { name: "preview", icon: Eye },
  { name: "outline", icon: TableOfContents },
  { name: "history", icon: History },
];

interface EditorHeadProps {
  session: EditSession;
  /** The open pane; null: none. */
  tab: Signal<SideTab | null>;
}

/** The bar above the page: back, save state, panes, publishing. */
export function EditorHead({ session, tab }: EditorHeadProps): VNode {
  return (
    <header class="editor-head">
      <a class="button" href={href("/pages")} data-screen aria-label={t("back")}>
        <Icon of={ArrowLeft} />
      </a>
      <h1 class="visually-hidden">{t("heading", { path: session.path })}</h1>
      <SaveLine session={session} />
      <Languages session={session} onSource={() => (tab.value = "source")} />
      <div class="row panes" role="group" aria-label={t("panes")}>
        {TABS.map(({ name, icon }) => (
          <button
            key={name}
            type="button"
            aria-label={t(`tab.${name}`)}
            title={t(`tab.${name}`)}
            aria-pressed={tab.value === name}
            onClick={() => (tab.value = tab.value === name ? null : name)}
          >
            <Icon of={icon} />
            <span class="button-text">{t(`tab.${name}`)}</span>
          </button>
        ))}
      </div>
      <Publication session={session} />
    </header>
  );
}

interface SessionProps {
  session: EditSession;
}

/** The page's status, and how far the text is saved. */
function SaveLine({ session }: SessionProps): VNode {
  const { state } = session;
  return (
    <div class="save-line">
      <span class="badges">
        <PageBadge page={session.live.value} />
        {session.review.value !== null && (
          <span class="badge warn review-badge">
            {t(session.review.value.sentBack === null ? "review.requested" : "review.sentBack")}
          </span>
        )}
        {isWrong(state.value) && (
          <span class="badge bad" aria-hidden="true">
            {t("save.wrong")}
          </span>
        )}
      </span>
      <span role="status" class={isWrong(state.value) ? "field-error" : "dim"}>
        <SaveText session={session} />
      </span>
    </div>
  );
}

function SaveText({ session }: SessionProps): VNode {
  switch (session.state.value) {
    case "changed":
      return <>{t("save.changed")}</>;
    case "saving":
      return <>{t("save.saving")}</>;
    case "offline":
      return <>{t("save.offline")}</>;
    case "failed":
      return <>{t("save.failed", { reason: toReason(session.problem.value) })}</>;
    case "conflict":
      return <>{t("save.conflict")}</>;
    case "clean":
      return session.hasWorkingCopy.value ? (
        <>
          {t("save.draft")} <Moment at={session.savedAt.value} />
        </>
      ) : (
        <>{t("save.clean")}</>
      );
  }
}

function isWrong(state: EditSession["state"]["value"]): boolean {
  return state === "offline" || state === "failed" || state === "conflict";
}

/** The content of the side pane. */
export type SideTab = "fields" | "preview" | "outline" | "history" | "source";

interface SidePaneProps {
  session: EditSession;
  /** The open pane; null: none. */
  tab: Signal<SideTab | null>;
  /** Line of the cursor in the text, from 1. */
  line: Signal<number>;
  /** Null while the text editor is not on the screen. */
  view(): EditorView | null;
  /** The fields of the page. */
  children: ComponentChildren;
}

/** The pane beside the text; below it in narrow windows. `children` are the fields. */
export function SidePane(props: SidePaneProps): VNode {
  const { session, tab, line, view } = props;
  const name = tab.value ?? "fields";
  return (
    <aside class={`side side-${name}`} aria-label={t(`tab.${name}`)}>
      <header class="side-head">
        <h2>{t(`tab.${name}`)}</h2>
        <button
          type="button"
          class="icon"
          aria-label={app("close")}
          onClick={() => (tab.value = null)}
        >
          <Icon of={X} />
        </button>
      </header>
      {name === "fields" && props.children}
      {name === "preview" && <Preview session={session} line={line} />}
      {name === "outline" && <Outline session={session} line={line} view={view} />}
      {name === "source" && <SourcePane session={session} line={line} />}
      {name === "history" && <HistoryPane session={session} />}
    </aside>
  );
}
