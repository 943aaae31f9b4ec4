/** How a container is shown. Each kind is one file; `all-containers.ts` lists them. */
import type { EditorState, Range } from "@codemirror/state";
import { Decoration } from "@codemirror/view";
import type { Tree } from "@lezer/common";
import { isTouched } from "../block.js";
import type { Container, TextRange } from "./container-source.js";

/** What is drawn of a text. */
export interface Drawing {
  readonly state: EditorState;
  readonly tree: Tree;
  /** Every decoration is added here. */
  readonly decorations: Range<Decoration>[];
  /** Ranges in which nothing else is drawn. */
  readonly covered: TextRange[];
}

/** How containers of some kinds are shown. */
export interface ContainerView {
  readonly names: readonly string[];
  draw(container: Container, drawing: Drawing): void;
}

/** Gives the lines of a range a class. */
export function drawLines(
  { from, to }: TextRange,
  name: string,
  { state, decorations }: Pick<Drawing, "state" | "decorations">,
): void {
  for (let at = from; at <= to;) {
    const line = state.doc.lineAt(at);
    const edges = (at === from ? " is-first" : "") + (line.to >= to ? " is-last" : "");
    decorations.push(Decoration.line({ class: name + edges }).range(line.from));
    at = line.to + 1;
  }
}

/** Hides the line that closes a container, while the cursor is elsewhere. */
export function hideClosing({ closing, to }: Container, { state, decorations }: Drawing): void {
  decorations.push(Decoration.line({ class: "md-box-end" }).range(closing));
  if (!isTouched(state, closing, to)) decorations.push(Decoration.replace({}).range(closing, to));
}
