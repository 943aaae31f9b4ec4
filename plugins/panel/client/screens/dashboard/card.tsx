import type { ComponentChildren, VNode } from "preact";
import { href } from "../../app/router.js";
import { editPath } from "../pages/edit-path.js";

/** Rows of a card. */
export const MAX_ROWS = 6;

/** A part of the dashboard. */
export function Card({ title, children }: { title: string; children: ComponentChildren }): VNode {
  return (
    <section class="card" aria-label={title}>
      <h2>{title}</h2>
      {children}
    </section>
  );
}

/** A line that opens the editor, when the path is that of a page. */
export function PageLine(props: {
  path: string;
  title: string;
  children?: ComponentChildren;
}): VNode {
  return (
    <li class="page-line">
      {props.path.endsWith(".md") ? (
        <a class="break" href={href(editPath(props.path))} data-screen>
          {props.title}
        </a>
      ) : (
        <span class="break">{props.title}</span>
      )}
      <small class="dim">{props.children}</small>
    </li>
  );
}

/** The rows of a card, or why there are none. */
export function Rows(props: {
  none: string;
  isEmpty: boolean;
  children: ComponentChildren;
}): VNode {
  return props.isEmpty ? <p class="dim">{props.none}</p> : <ul>{props.children}</ul>;
}
