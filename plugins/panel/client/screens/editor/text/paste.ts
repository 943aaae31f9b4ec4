/** Puts formatted text from the clipboard into the text, where the cursor was; loaded with its first use. */
import { StateEffect, StateField } from "@codemirror/state";
import { Decoration, EditorView, WidgetType } from "@codemirror/view";
import { done, failed } from "../../../app/toasts.js";
import { texts } from "../../../app/texts.js";
import de from "../../../locales/de/paste.json";
import en from "../../../locales/en/paste.json";
import { htmlToMarkdown, type Lost } from "./paste-html.js";

const t = texts({ en, de });

/** A paste that is being converted: the range that it replaces. */
interface Paste {
  readonly id: number;
  readonly from: number;
  readonly to: number;
  /** From 0 to 1. */
  readonly part: number;
}

const began = StateEffect.define<Paste>();
const progressed = StateEffect.define<Pick<Paste, "id" | "part">>();
const ended = StateEffect.define<number>();

// A history of the text may change the range meanwhile: it follows.
const pastes = StateField.define<readonly Paste[]>({
  create: () => [],
  update(value, { changes, effects }) {
    let next = value.map((paste) => ({
      ...paste,
      from: changes.mapPos(paste.from, 1),
      to: changes.mapPos(paste.to, -1),
    }));
    for (const effect of effects) {
      if (effect.is(began)) next = [...next, effect.value];
      else if (effect.is(ended)) next = next.filter(({ id }) => id !== effect.value);
      else if (effect.is(progressed)) {
        const { id, part } = effect.value;
        next = next.map((paste) => (paste.id === id ? { ...paste, part } : paste));
      }
    }
    return next;
  },
  provide: (field) =>
    EditorView.decorations.from(field, (all) =>
      Decoration.set(
        all
          .filter(({ part }) => part > 0)
          .map(({ to, part }) =>
            Decoration.widget({ widget: new Progress(part), side: 1 }).range(to),
          ),
        true,
      ),
    ),
});

class Progress extends WidgetType {
  readonly part: number;

  constructor(part: number) {
    super();
    this.part = part;
  }

  override eq(other: Progress): boolean {
    return other.part === this.part;
  }

  toDOM(): HTMLElement {
    const dom = document.createElement("span");
    dom.className = "paste-progress";
    dom.setAttribute("role", "status");
    this.updateDOM(dom);
    return dom;
  }

  override updateDOM(dom: HTMLElement): boolean {
    dom.textContent = t("progress", { percent: Math.round(this.part * 100) });
    return true;
  }
}

let lastId = 0;

/** Pastes formatted text as Markdown; text that cannot be converted is pasted as it is. */
export async function pasteFormatted(view: EditorView, html: string, plain: string): Promise<void> {
  const id = (lastId += 1);
  const { from, to } = view.state.selection.main;
  const isKnown = view.state.field(pastes, false) !== undefined;
  view.dispatch({
    effects: [
      ...(isKnown ? [] : [StateEffect.appendConfig.of(pastes)]),
      ...(isKnown ? [began.of({ id, from, to, part: 0 })] : []),
    ],
  });
  if (!isKnown) view.dispatch({ effects: began.of({ id, from, to, part: 0 }) });
  let text = plain;
  let lost: Lost | null = null;
  try {
    const converted = await htmlToMarkdown(html, (part) =>
      view.dispatch({ effects: progressed.of({ id, part }) }),
    );
    if (converted.markdown !== "") text = converted.markdown;
    ({ lost } = converted);
  } catch (error) {
    failed(error);
  }
  insert(view, id, text);
  if (lost !== null) report(lost);
}

function insert(view: EditorView, id: number, text: string): void {
  const { state } = view;
  const paste = state.field(pastes).find((one) => one.id === id);
  if (paste === undefined) return;
  const from = Math.min(paste.from, paste.to);
  const to = Math.max(paste.from, paste.to);
  const before = state.doc.lineAt(from);
  const after = state.doc.lineAt(to);
  // In the middle of a line it would not be a block.
  const isBlock = /\n|^(?:#{1,6}|[-*>]|\d+\.) |^\||^```/.test(text);
  const open = isBlock && state.sliceDoc(before.from, from).trim() !== "" ? "\n\n" : "";
  const close = isBlock && state.sliceDoc(to, after.to).trim() !== "" ? "\n\n" : "";
  const written = open + text;
  const { main } = state.selection;
  const isHere = main.from >= from && main.to <= to;
  view.dispatch({
    changes: { from, to, insert: written + close },
    ...(isHere && { selection: { anchor: from + written.length }, scrollIntoView: true }),
    effects: ended.of(id),
    userEvent: "input.paste",
  });
}

function report({ pictures, comments, merged, objects }: Lost): void {
  const parts = [
    ...(pictures > 0 ? [t("pictures", { n: pictures })] : []),
    ...(comments > 0 ? [t("comments", { n: comments })] : []),
    ...(merged > 0 ? [t("merged", { n: merged })] : []),
    ...(objects > 0 ? [t("objects", { n: objects })] : []),
  ];
  if (parts.length > 0) done(t("lost", { parts: parts.join(", ") }));
}
