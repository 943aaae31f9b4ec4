import type { Signal } from "@preact/signals";
import { ArrowLeft, Eye, History, SlidersHorizontal, TableOfContents, type IconNode } from "lucide";
import type { VNode } from "preact";
import { href } from "../../app/router.js";
import { Icon } from "../../parts/icon.js";
import { lazy } from "../../parts/lazy.js";
import type { EditSession } from "./saving/edit-session.js";
import { t } from "./editor-texts.js";
import { SaveLine } from "./saving/save-line.js";
import type { SideTab } from "./panes/side-pane.js";

const Languages = lazy(() => import("./panes/languages.js"));
const Publication = lazy(() => import("./publish/publication.js"));

const TABS: readonly (readonly [SideTab, IconNode])[] = [
  ["fields", SlidersHorizontal],
  ["preview", Eye],
  ["outline", TableOfContents],
  ["history", History],
];

/** The bar above the page: back, save state, panes, publishing. */
export function EditorHead({
  session,
  tab,
}: {
  session: EditSession;
  tab: Signal<SideTab | null>;
}): VNode {
  return (
    <header class="editor-head">
      <a class="button" href={href("/pages")} data-screen aria-label={t("back")}>
        <Icon of={ArrowLeft} />
      </a>
      <h1 class="visually-hidden">{t("heading", { path: session.path })}</h1>
      <SaveLine session={session} />
      <Languages session={session} tab={tab} />
      <div class="row" role="group" aria-label={t("panes")}>
        {TABS.map(([name, icon]) => (
          <button
            key={name}
            type="button"
            aria-label={t(`tab.${name}`)}
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
