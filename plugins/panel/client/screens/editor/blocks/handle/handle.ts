/**
 * A quiet handle beside the block that has the pointer, else the cursor: it drags the block, and opens the menu
 * of what can be done with it. The same by keys: Alt with the arrows moves, Ctrl / opens the menu.
 */
import { Prec, type Extension, type TransactionSpec } from "@codemirror/state";
import {
  keymap,
  ViewPlugin,
  type Command,
  type EditorView,
  type ViewUpdate,
} from "@codemirror/view";
import {
  ArrowDown,
  ArrowUp,
  Code,
  Copy,
  createElement,
  GripVertical,
  Heading2,
  Heading3,
  Heading4,
  Languages,
  List,
  ListChecks,
  ListOrdered,
  Pilcrow,
  Quote,
  Trash2,
  type IconNode,
} from "lucide";
import { t } from "../../text/tool-texts.js";
import { openMenu } from "./menu.js";
import {
  deleteBlocks,
  duplicateBlocks,
  moveBlocks,
  moveItem,
  selectedBlocks,
  type BlockRun,
} from "./moves.js";
import { shownBlocks, textBlocks, type TextBlock } from "./ranges.js";
import { isTurnable, turnBlock, turnOf, TURNS, type Turn } from "./turns.js";
import { chooseLanguage } from "../code/fence.js";

/** The extension. */
export function blockHandles(): Extension {
  return [
    handles,
    Prec.high(
      keymap.of([
        { key: "Alt-ArrowUp", run: move(-1) },
        { key: "Alt-ArrowDown", run: move(1) },
        { key: "Mod-/", run: openAtCursor },
      ]),
    ),
  ];
}

function apply(view: EditorView, spec: TransactionSpec | null): void {
  if (spec !== null) view.dispatch(spec);
  view.focus();
}

function move(side: 1 | -1): Command {
  return (view) => {
    const { state } = view;
    if (state.readOnly) return false;
    const item = state.selection.main.empty ? moveItem(state, side) : null;
    if (item !== null) {
      view.dispatch(item);
      return true;
    }
    const run = selectedBlocks(state);
    // Between blocks, and in a text of one block, nothing moves.
    const spec = run && moveBlocks(state, run, side === 1 ? run.last + 2 : run.first - 1);
    if (spec !== null) view.dispatch(spec);
    return true;
  };
}

function openAtCursor(view: EditorView): boolean {
  const run = selectedBlocks(view.state);
  const handle = view.plugin(handles);
  if (view.state.readOnly || run === null || handle === null) return false;
  handle.openMenu(run);
  return true;
}

const TURN_ICONS: Readonly<Record<Turn, IconNode>> = {
  text: Pilcrow,
  heading2: Heading2,
  heading3: Heading3,
  heading4: Heading4,
  list: List,
  numbers: ListOrdered,
  tasks: ListChecks,
  quote: Quote,
  code: Code,
};

/** Shortest drag, in pixels; below it, the press is a click. */
const DRAG_PX = 5;
/** Near the edge of the window, in pixels, a drag scrolls. */
const EDGE_PX = 60;
const SCROLL_PX = 14;

const handles = ViewPlugin.fromClass(
  class {
    readonly #view: EditorView;
    readonly #button = document.createElement("button");
    readonly #line = document.createElement("div");
    readonly #area: HTMLElement;
    /** Where the block with the handle begins; null: no handle is shown. */
    #from: number | null = null;
    /** The block below the pointer begins here. */
    #pointed: number | null = null;
    #drag: Drag | null = null;
    /** True after a press that dragged the block. */
    #hasMoved = false;
    #isTyping = false;

    constructor(view: EditorView) {
      this.#view = view;
      this.#button.type = "button";
      this.#button.className = "md-block-handle";
      this.#button.tabIndex = -1;
      this.#button.setAttribute("aria-haspopup", "menu");
      this.#button.append(
        createElement(GripVertical, { width: 16, height: 16, "aria-hidden": "true" }),
      );
      this.#button.addEventListener("pointerdown", this.#pressed);
      this.#button.addEventListener("pointermove", this.#dragged);
      this.#button.addEventListener("pointerup", this.#dropped);
      this.#button.addEventListener("pointercancel", this.#cancelled);
      this.#button.addEventListener("lostpointercapture", this.#cancelled);
      // Not on the release of the press: it would close the menu again.
      this.#button.addEventListener("click", () => this.#clicked());
      this.#line.className = "md-drop-line";
      this.#line.hidden = true;
      view.dom.append(this.#button, this.#line);
      this.#area = view.dom.closest<HTMLElement>(".workspace") ?? view.dom;
      this.#area.addEventListener("pointermove", this.#pointedAt);
      this.#area.addEventListener("pointerleave", this.#left);
      addEventListener("keydown", this.#escaped, { capture: true });
      this.#place();
    }

    update(update: ViewUpdate): void {
      if (update.docChanged) {
        const mapped = (position: number | null): number | null =>
          position === null ? null : update.changes.mapPos(position, 1);
        this.#pointed = mapped(this.#pointed);
        this.#from = mapped(this.#from);
        if (this.#drag !== null) this.#drag.from = update.changes.mapPos(this.#drag.from, 1);
      }
      // The handle is hidden while the user types.
      const isTyped = update.transactions.some(
        (one) => one.docChanged && (one.isUserEvent("input.type") || one.isUserEvent("delete")),
      );
      if (isTyped && this.#drag === null) {
        this.#isTyping = true;
        this.#pointed = null;
        this.#button.classList.remove("is-shown");
      } else if (update.docChanged || update.selectionSet || update.focusChanged) {
        this.#isTyping = false;
        this.#place();
      } else if (update.geometryChanged && !this.#isTyping) this.#place();
    }

    destroy(): void {
      this.#area.removeEventListener("pointermove", this.#pointedAt);
      this.#area.removeEventListener("pointerleave", this.#left);
      removeEventListener("keydown", this.#escaped, { capture: true });
      this.#button.remove();
      this.#line.remove();
    }

    /** Opens the menu of blocks below the handle, which stands beside the first one. */
    openMenu(run: BlockRun): void {
      const { state } = this.#view;
      const [block] = textBlocks(state).slice(run.first);
      if (block === undefined) return;
      this.#from = block.from;
      this.#show(block, this.#measure(block));
      const count = textBlocks(state).length;
      const view = this.#view;
      const groups = [
        [
          {
            label: t("block.up"),
            icon: ArrowUp,
            keys: "Alt ↑",
            isDisabled: run.first === 0,
            run: () => apply(view, moveBlocks(view.state, run, run.first - 1)),
          },
          {
            label: t("block.down"),
            icon: ArrowDown,
            keys: "Alt ↓",
            isDisabled: run.last === count - 1,
            run: () => apply(view, moveBlocks(view.state, run, run.last + 2)),
          },
          {
            label: t("block.duplicate"),
            icon: Copy,
            run: () => apply(view, duplicateBlocks(view.state, run)),
          },
          {
            label: t("block.delete"),
            icon: Trash2,
            run: () => apply(view, deleteBlocks(view.state, run)),
          },
        ],
        ...(block.kind === "code"
          ? [
              [
                {
                  label: t("block.language"),
                  icon: Languages,
                  run: () => chooseLanguage(view, block.from, this.#button),
                },
              ],
            ]
          : []),
        ...(run.first === run.last && isTurnable(block) ? [this.#turns(block)] : []),
      ];
      openMenu(this.#button, {
        label: t("block.menu", { kind: t(`kind.${block.kind}`) }),
        groups,
        onClose: () => view.focus(),
      });
    }

    #turns(block: TextBlock) {
      const view = this.#view;
      const current = turnOf(view.state, block);
      const items = TURNS.map((turn) => ({
        label: t(`turn.${turn}`),
        icon: TURN_ICONS[turn],
        isDisabled: turn === current,
        run: () => apply(view, turnBlock(view.state, block, turn)),
      }));
      return { name: t("block.turn"), items };
    }

    /** Opens the menu of the block beside which the handle stands; the end of a drag does not. */
    #clicked(): void {
      const hasMoved = this.#hasMoved;
      this.#hasMoved = false;
      if (hasMoved) return;
      const at = this.#indexOf(this.#from);
      if (at !== -1) this.openMenu({ first: at, last: at });
    }

    #indexOf(position: number | null): number {
      if (position === null) return -1;
      return shownBlocks(this.#view.state).findIndex(
        ({ from, to }) => from <= position && to >= position,
      );
    }

    /** Puts the handle beside the block of the pointer, else beside that of the cursor. */
    #place(): void {
      this.#view.requestMeasure({
        key: this,
        read: () => {
          const { state, hasFocus, contentDOM } = this.#view;
          if (state.readOnly) return null;
          const isInside = hasFocus || contentDOM.contains(document.activeElement);
          const position = this.#pointed ?? (isInside ? state.selection.main.head : null);
          const block = shownBlocks(state)[this.#indexOf(position)];
          return block === undefined ? null : { block, place: this.#measure(block) };
        },
        write: (found) => {
          if (this.#drag?.isMoving === true) return;
          this.#from = found?.block.from ?? null;
          if (found === null) this.#button.classList.remove("is-shown");
          else this.#show(found.block, found.place);
        },
      });
    }

    #show({ kind }: TextBlock, top: number): void {
      this.#button.classList.add("is-shown");
      this.#button.style.insetBlockStart = `${top}px`;
      const label = t("block.menu", { kind: t(`kind.${kind}`) });
      this.#button.setAttribute("aria-label", label);
      this.#button.title = t("block.handle");
    }

    /** The top of the handle in the text editor, in pixels: at the middle of the block's first line. */
    #measure({ from, kind }: TextBlock): number {
      const view = this.#view;
      const base = view.dom.getBoundingClientRect().top;
      const { top } = view.lineBlockAt(from);
      const line = kind === "table" || kind === "picture" ? null : view.coordsAtPos(from, 1);
      const height = this.#button.offsetHeight;
      if (line === null) return view.documentTop + top - base + 4;
      return (line.top + line.bottom) / 2 - height / 2 - base;
    }

    readonly #pointedAt = (event: PointerEvent): void => {
      if (event.pointerType !== "mouse" || this.#drag !== null) return;
      const { top, bottom } = this.#view.contentDOM.getBoundingClientRect();
      const isBeside = event.clientY >= top && event.clientY <= bottom;
      const pointed = isBeside ? this.#blockAtHeight(event.clientY) : null;
      // Between blocks, the handle stays where it is.
      if (pointed === undefined || pointed === this.#pointed) return;
      this.#pointed = pointed;
      this.#place();
    };

    readonly #left = (): void => {
      if (this.#drag !== null || this.#pointed === null) return;
      this.#pointed = null;
      this.#place();
    };

    /** Where the block at a height of the window begins; undefined between blocks. */
    #blockAtHeight(y: number): number | undefined {
      const line = this.#view.lineBlockAtHeight(y - this.#view.documentTop);
      const block = shownBlocks(this.#view.state)[this.#indexOf(line.from)];
      return block?.from;
    }

    readonly #pressed = (event: PointerEvent): void => {
      if (event.button !== 0 || this.#from === null) return;
      event.preventDefault();
      this.#hasMoved = false;
      this.#button.setPointerCapture(event.pointerId);
      this.#drag = {
        from: this.#from,
        x: event.clientX,
        y: event.clientY,
        isMoving: false,
        target: -1,
      };
    };

    readonly #dragged = (event: PointerEvent): void => {
      const drag = this.#drag;
      if (drag === null) return;
      const way = Math.hypot(event.clientX - drag.x, event.clientY - drag.y);
      if (!drag.isMoving && way < DRAG_PX) return;
      if (!drag.isMoving) {
        drag.isMoving = true;
        this.#view.dom.classList.add("is-dragging");
        this.#scroll();
      }
      drag.y = event.clientY;
      this.#aim(drag);
    };

    /** Finds where the dragged block would be dropped, and draws a line there. */
    #aim(drag: Drag): void {
      const view = this.#view;
      const blocks = shownBlocks(view.state);
      const height = drag.y - view.documentTop;
      const middleOf = ({ from, to }: TextBlock): number =>
        (view.lineBlockAt(from).top + view.lineBlockAt(to).bottom) / 2;
      const below = blocks.findIndex((block) => middleOf(block) > height);
      drag.target = below === -1 ? blocks.length : below;
      const [above, next] = [blocks[drag.target - 1], blocks[drag.target]];
      const end = above === undefined ? null : view.lineBlockAt(above.to).bottom;
      const start = next === undefined ? null : view.lineBlockAt(next.from).top;
      const at = end === null ? (start ?? 0) : start === null ? end + 4 : (end + start) / 2;
      const base = view.dom.getBoundingClientRect().top;
      this.#line.hidden = false;
      this.#line.style.insetBlockStart = `${view.documentTop + at - base}px`;
      this.#button.style.insetBlockStart = `${drag.y - base - this.#button.offsetHeight / 2}px`;
    }

    #scroll(): void {
      const drag = this.#drag;
      if (drag?.isMoving !== true) return;
      const isUp = drag.y < EDGE_PX;
      const isDown = drag.y > innerHeight - EDGE_PX;
      if (isUp || isDown) {
        scrollBy(0, isUp ? -SCROLL_PX : SCROLL_PX);
        this.#aim(drag);
      }
      requestAnimationFrame(() => this.#scroll());
    }

    readonly #dropped = (event: PointerEvent): void => {
      const drag = this.#drag;
      this.#end();
      if (this.#button.hasPointerCapture(event.pointerId)) {
        this.#button.releasePointerCapture(event.pointerId);
      }
      if (drag?.isMoving !== true) return;
      this.#hasMoved = true;
      // All blocks are known now, and found later.
      textBlocks(this.#view.state);
      const at = this.#indexOf(drag.from);
      if (at === -1) return;
      apply(this.#view, moveBlocks(this.#view.state, { first: at, last: at }, drag.target));
    };

    readonly #cancelled = (): void => this.#end();

    readonly #escaped = (event: KeyboardEvent): void => {
      if (event.key !== "Escape" || this.#drag?.isMoving !== true) return;
      event.preventDefault();
      event.stopPropagation();
      this.#hasMoved = true;
      this.#end();
    };

    #end(): void {
      this.#drag = null;
      this.#line.hidden = true;
      this.#view.dom.classList.remove("is-dragging");
      this.#place();
    }
  },
);

/** A block that is being dragged. */
interface Drag {
  /** Where it begins; follows changes of the text. */
  from: number;
  readonly x: number;
  /** Of the pointer, in the window. */
  y: number;
  isMoving: boolean;
  /** The block before which it would be dropped. */
  target: number;
}
