import type { VNode } from "preact";
import { setQuery } from "../../app/router.js";

/** Buttons that choose how a screen shows its list; the choice is `view` of the address. */
export function ViewChoice(props: {
  label: string;
  /** The view in the address; empty: the first one. */
  view: string;
  views: readonly { readonly name: string; readonly label: string }[];
}): VNode {
  return (
    <div class="segments" role="group" aria-label={props.label}>
      {props.views.map(({ name, label }) => (
        <button
          key={name}
          type="button"
          aria-pressed={props.view === name}
          onClick={() => setQuery({ view: name })}
        >
          {label}
        </button>
      ))}
    </div>
  );
}
