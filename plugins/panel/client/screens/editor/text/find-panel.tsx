/** Searches and replaces in the text; loaded with its first use. */
import {
  closeSearchPanel,
  findNext,
  findPrevious,
  getSearchQuery,
  openSearchPanel,
  replaceAll,
  replaceNext,
  search,
  searchKeymap,
  SearchQuery,
  setSearchQuery,
} from "@codemirror/search";
import { Prec, StateEffect, type EditorState } from "@codemirror/state";
import { keymap, type EditorView, type Panel, type ViewUpdate } from "@codemirror/view";
import { signal, type Signal } from "@preact/signals";
import { ArrowDown, ArrowUp, CaseSensitive, Regex, WholeWord, X, type IconNode } from "lucide";
import { render, type VNode } from "preact";
import { texts } from "../../../app/texts.js";
import de from "../../../locales/de/find.json";
import en from "../../../locales/en/find.json";
import { Icon } from "../../../parts/icon.js";

const t = texts({ en, de });
const equipped = new WeakSet<EditorView>();
/** More matches are not counted. */
const MAX_COUNTED = 1_000;

/** Opens the panel above the text, with the selected words. */
export function openFindPanel(view: EditorView): void {
  if (!equipped.has(view)) {
    equipped.add(view);
    const keys = Prec.highest(keymap.of(searchKeymap));
    const panel = search({ top: true, createPanel });
    view.dispatch({ effects: StateEffect.appendConfig.of([panel, keys]) });
  }
  openSearchPanel(view);
}

/** What the panel shows. */
interface Found {
  readonly query: SearchQuery;
  /** Number of the selected match, from 1; 0: none is selected. */
  readonly at: number;
  readonly count: number;
}

function createPanel(view: EditorView): Panel {
  const dom = document.createElement("div");
  dom.className = "find-panel";
  const found = signal(readFound(view.state));
  render(<FindPanel view={view} found={found} />, dom);
  return {
    dom,
    top: true,
    mount: () => {
      const field = dom.querySelector<HTMLInputElement>("[main-field]");
      field?.focus();
      field?.select();
    },
    update: (update: ViewUpdate) => {
      const isSame =
        !update.docChanged &&
        !update.selectionSet &&
        getSearchQuery(update.state).eq(getSearchQuery(update.startState));
      if (!isSame) found.value = readFound(update.state);
    },
    destroy: () => render(null, dom),
  };
}

function readFound(state: EditorState): Found {
  const query = getSearchQuery(state);
  if (query.search === "" || !query.valid) return { query, at: 0, count: 0 };
  const { from, to } = state.selection.main;
  const cursor = query.getCursor(state);
  let count = 0;
  let at = 0;
  for (let next = cursor.next(); next.done !== true && count < MAX_COUNTED; next = cursor.next()) {
    count += 1;
    if (next.value.from === from && next.value.to === to) at = count;
  }
  return { query, at, count };
}

interface FindPanelProps {
  view: EditorView;
  found: Signal<Found>;
}

type Option = "caseSensitive" | "wholeWord" | "regexp";
const OPTIONS: readonly (readonly [Option, IconNode])[] = [
  ["caseSensitive", CaseSensitive],
  ["wholeWord", WholeWord],
  ["regexp", Regex],
];

type QueryChange = Partial<Record<Option, boolean>> & { search?: string; replace?: string };

function change(view: EditorView, query: SearchQuery, part: QueryChange): void {
  const { caseSensitive, wholeWord, regexp, search: words, replace } = query;
  // Literal: otherwise `\n` in the field would be a line end.
  const old = { search: words, caseSensitive, wholeWord, regexp, replace, literal: true };
  view.dispatch({ effects: setSearchQuery.of(new SearchQuery({ ...old, ...part })) });
}

function statusOf({ query, at, count }: Found): string {
  if (!query.valid) return query.search === "" ? "" : t("invalid");
  const many = count >= MAX_COUNTED ? `${MAX_COUNTED}+` : String(count);
  if (count === 0) return t("none");
  return at === 0 ? t("found", { n: count, many }) : t("at", { at, many });
}

/** Runs something on Enter. */
function onEnter(run: (isShift: boolean) => void) {
  return (event: KeyboardEvent): void => {
    if (event.key !== "Enter" || event.isComposing) return;
    event.preventDefault();
    run(event.shiftKey);
  };
}

function FindPanel({ view, found }: FindPanelProps): VNode {
  const { query } = found.value;
  const commands = [
    ["previous", ArrowUp, findPrevious],
    ["next", ArrowDown, findNext],
    ["close", X, closeSearchPanel],
  ] as const;
  return (
    <div
      role="search"
      aria-label={t("title")}
      onKeyDown={(event) => {
        if (event.key !== "Escape") return;
        event.preventDefault();
        closeSearchPanel(view);
      }}
    >
      <div class="find-row">
        <div class="find-field">
          <input
            type="text"
            main-field="true"
            autocomplete="off"
            aria-label={t("find")}
            placeholder={t("find")}
            value={query.search}
            onInput={(event) => change(view, query, { search: event.currentTarget.value })}
            onKeyDown={onEnter((isShift) => (isShift ? findPrevious(view) : findNext(view)))}
          />
          <span class="find-status dim" role="status">
            {statusOf(found.value)}
          </span>
        </div>
        {OPTIONS.map(([name, icon]) => (
          <button
            key={name}
            type="button"
            class="icon"
            title={t(name)}
            aria-label={t(name)}
            aria-pressed={query[name]}
            onClick={() => change(view, query, { [name]: !query[name] })}
          >
            <Icon of={icon} />
          </button>
        ))}
        {commands.map(([name, icon, run]) => (
          <button
            key={name}
            type="button"
            class="icon"
            title={t(name)}
            aria-label={t(name)}
            onClick={() => run(view)}
          >
            <Icon of={icon} />
          </button>
        ))}
      </div>
      {!view.state.readOnly && <ReplaceRow view={view} query={query} />}
    </div>
  );
}

interface ReplaceRowProps {
  view: EditorView;
  query: SearchQuery;
}

function ReplaceRow({ view, query }: ReplaceRowProps): VNode {
  return (
    <div class="find-row">
      <input
        type="text"
        class="find-field"
        autocomplete="off"
        aria-label={t("replace")}
        placeholder={t("replace")}
        value={query.replace}
        onInput={(event) => change(view, query, { replace: event.currentTarget.value })}
        onKeyDown={onEnter(() => replaceNext(view))}
      />
      <button type="button" onClick={() => replaceNext(view)}>
        {t("replaceOne")}
      </button>
      <button type="button" onClick={() => replaceAll(view)}>
        {t("replaceAll")}
      </button>
    </div>
  );
}
