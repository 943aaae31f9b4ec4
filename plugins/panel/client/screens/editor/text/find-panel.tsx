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
import { Prec, StateEffect, Text, type EditorState, type Line } from "@codemirror/state";
import { keymap, type EditorView, type Panel, type ViewUpdate } from "@codemirror/view";
import { signal, type Signal } from "@preact/signals";
import { ArrowDown, ArrowUp, CaseSensitive, Regex, WholeWord, X, type IconNode } from "lucide";
import { render, type VNode } from "preact";
import { texts } from "../../../app/texts.js";
import de from "../../../locales/de/find.json";
import en from "../../../locales/en/find.json";
import { Icon } from "../../../parts/icon.js";
import { cellTextRange, placeOf, readLength, wordsOf } from "../blocks/table/cell.js";
import { cellRange, lineOfRow } from "../blocks/table/source.js";

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
  const marks = new CellMarks(view);
  return {
    dom,
    top: true,
    mount: () => {
      marks.update();
      const field = dom.querySelector<HTMLInputElement>("[main-field]");
      field?.focus();
      field?.select();
    },
    update: (update: ViewUpdate) => {
      marks.update();
      const isSame =
        !update.docChanged &&
        !update.selectionSet &&
        getSearchQuery(update.state).eq(getSearchQuery(update.startState));
      if (!isSame) found.value = readFound(update.state);
    },
    destroy: () => {
      marks.clear();
      render(null, dom);
    },
  };
}

/**
 * Marks the matches in the cells of tables, which are not lines of the text editor: without elements of their own,
 * so that typing in a cell is not disturbed. Browsers without such marks show none.
 */
class CellMarks {
  readonly #view: EditorView;
  readonly #update = (): void => this.update();
  #isOver = false;

  constructor(view: EditorView) {
    this.#view = view;
    // Rows of long tables are drawn on the way, and a cell is drawn again when it is left.
    document.addEventListener("scroll", this.#update, { capture: true, passive: true });
    view.dom.addEventListener("focusout", this.#update);
  }

  /** Marks them when the screen shows the text. */
  update(): void {
    if ("highlights" in CSS) this.#view.requestMeasure({ key: this, read: () => this.#mark() });
  }

  clear(): void {
    this.#isOver = true;
    document.removeEventListener("scroll", this.#update, { capture: true });
    this.#view.dom.removeEventListener("focusout", this.#update);
    if (!("highlights" in CSS)) return;
    CSS.highlights.delete("find-match");
    CSS.highlights.delete("find-match-selected");
  }

  #mark(): void {
    // The panel may have closed since.
    if (this.#isOver) return;
    const { state, contentDOM } = this.#view;
    const query = getSearchQuery(state);
    const [matches, selected] = [new Highlight(), new Highlight()];
    const tables = query.search === "" || !query.valid ? "" : ".md-table";
    for (const table of tables === "" ? [] : contentDOM.querySelectorAll<HTMLElement>(tables)) {
      const first = state.doc.lineAt(this.#view.posAtDOM(table)).number;
      for (const cell of table.querySelectorAll<HTMLElement>(".md-cell")) {
        const { row, column } = placeOf(cell);
        if (first + lineOfRow(row) > state.doc.lines) continue;
        const chosen = selectionIn(state, state.doc.line(first + lineOfRow(row)), column);
        const cursor = query.getCursor(Text.of([wordsOf(cell)]));
        for (let next = cursor.next(); next.done !== true; next = cursor.next()) {
          const { from, to } = next.value;
          const isChosen = chosen?.from === from && chosen.to === to;
          (isChosen ? selected : matches).add(cellTextRange(cell, from, to));
          if (isChosen && !cell.contains(document.activeElement)) {
            cell.scrollIntoView({ block: "nearest", inline: "nearest" });
          }
        }
      }
    }
    CSS.highlights.set("find-match", matches);
    CSS.highlights.set("find-match-selected", selected);
  }
}

/** The selection as offsets in the words of a cell; null when it is not in the cell. */
function selectionIn(
  state: EditorState,
  line: Line,
  column: number,
): { from: number; to: number } | null {
  const { from, to } = state.selection.main;
  const cell = cellRange(line.text, column);
  const start = line.from + cell.from;
  if (from < start || to > line.from + cell.to) return null;
  const offset = (position: number): number => readLength(state.sliceDoc(start, position));
  return { from: offset(from), to: offset(to) };
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
