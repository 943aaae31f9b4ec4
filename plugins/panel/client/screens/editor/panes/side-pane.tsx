import type { EditorView } from "@codemirror/view";
import type { Signal } from "@preact/signals";
import type { ComponentChildren, VNode } from "preact";
import { X } from "lucide";
import { t as app } from "../../../app/app-texts.js";
import { Icon } from "../../../parts/icon.js";
import { lazy } from "../../../parts/lazy.js";
import type { EditSession } from "../saving/edit-session.js";
import { t } from "../editor-texts.js";

const Preview = lazy(() => import("./preview.js"));
const HistoryPane = lazy(() => import("./history-pane.js"));
const Outline = lazy(() => import("./outline.js"));
const SourcePane = lazy(() => import("../text/source-pane.js"));

/** What the side pane shows. */
export type SideTab = "fields" | "preview" | "outline" | "history" | "source";

/** The pane beside the text; below it in narrow windows. `children` are the fields. */
export function SidePane(props: {
  session: EditSession;
  tab: Signal<SideTab | null>;
  line: Signal<number>;
  view(): EditorView | null;
  children: ComponentChildren;
}): VNode {
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
